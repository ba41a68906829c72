import { MailX } from "lucide-react";
import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import type { ReactNode } from "react";
import { JoinForm, RegisterInvitedForm } from "@/app/(auth)/invite/[token]/invite-forms";
import { LoginForm } from "@/app/(auth)/login/login-form";
import { getContext } from "@/app/context";
import { pageTitle } from "@/app/language/page-title";
import { currentPerson } from "@/app/session";
import { SignOut } from "@/components/dashboard/frame/sign-out";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { findInvitation } from "@/lib/users/invitations";

export async function generateMetadata(): Promise<Metadata> {
  return { ...(await pageTitle("invitation")()), referrer: "no-referrer" };
}

export default async function InvitePage({ params }: { params: Promise<{ token: string }> }) {
  const { token } = await params;
  const { pool, env, now } = getContext();
  const t = await getTranslations("invite");
  const [invitation, person] = await Promise.all([findInvitation(pool.db, token, now()), currentPerson()]);
  if (!invitation) return <Refused title={t("nothing")}>{t("gone")}</Refused>;
  const { email, merchantName: shop, role, hasAccount, invitedBy } = invitation;
  const text = { token, shop, email, role: t("invites", { who: invitedBy, role: t(role) }) };
  if (person?.user.email === email) return <JoinForm {...text} />;
  if (person)
    return (
      <Refused title={t("forOther", { email })} action={<SignOut />}>
        {t("forOtherHint", { email: person.user.email })}
      </Refused>
    );
  if (hasAccount)
    return <LoginForm email={email} goTo={`/invite/${token}`} hint={t("toJoin", { shop, role: text.role })} />;
  if (env.registration === "closed") return <Refused title={t("closed")}>{t("closedHint")}</Refused>;
  return <RegisterInvitedForm {...text} />;
}

function Refused({ title, action, children }: { title: string; action?: ReactNode; children: ReactNode }) {
  return (
    <Card>
      <EmptyState Icon={MailX} title={title} action={action}>
        <p>{children}</p>
      </EmptyState>
    </Card>
  );
}
