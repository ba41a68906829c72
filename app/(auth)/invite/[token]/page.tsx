import { MailX } from "lucide-react";
import type { Metadata } from "next";
import type { ReactNode } from "react";
import { JoinForm, RegisterInvitedForm } from "@/app/(auth)/invite/[token]/invite-forms";
import { LoginForm } from "@/app/(auth)/login/login-form";
import { getContext } from "@/app/context";
import { currentPerson } from "@/app/session";
import { SignOut } from "@/components/dashboard/frame/sign-out";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import type { Role } from "@/lib/domain/keys/role";
import { findInvitation, INVITATION_GONE } from "@/lib/people/invitations";

export const metadata: Metadata = { title: "Invitation", referrer: "no-referrer" };

const AS: Record<Role, string> = {
  owner: "As an owner you do everything, people included.",
  admin: "As an admin you work with orders, transfers, addresses, keys and settings.",
  viewer: "As a viewer you look at everything and change nothing.",
};

export default async function InvitePage({ params }: { params: Promise<{ token: string }> }) {
  const { token } = await params;
  const { pool, env, now } = getContext();
  const [invitation, person] = await Promise.all([findInvitation(pool.db, token, now()), currentPerson()]);
  if (!invitation) return <Refused title="Nothing to join here">{INVITATION_GONE}.</Refused>;
  const { email, merchantName: shop, role, hasAccount, invitedBy } = invitation;
  const words = { token, shop, email, role: `${invitedBy} invites you. ${AS[role]}` };
  if (person?.user.email === email) return <JoinForm {...words} />;
  if (person)
    return (
      <Refused title={`This invitation is for ${email}`} action={<SignOut />}>
        You are signed in as {person.user.email}. Sign out, and open the link again.
      </Refused>
    );
  if (hasAccount) return <LoginForm email={email} goTo={`/invite/${token}`} hint={`To join ${shop}. ${words.role}`} />;
  if (env.registration === "closed")
    return (
      <Refused title="Registration is closed">
        Nobody new can register at this installation. Ask whoever runs it.
      </Refused>
    );
  return <RegisterInvitedForm {...words} />;
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
