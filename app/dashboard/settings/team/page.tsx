import { getTranslations } from "next-intl/server";
import { getContext } from "@/app/context";
import { AskFactorsCard } from "@/app/dashboard/settings/team/ask-factors";
import { InvitePerson } from "@/app/dashboard/settings/team/invite-person";
import { InvitationActions, MemberActions } from "@/app/dashboard/settings/team/member-actions";
import { pageTitle } from "@/app/language/page-title";
import { requirePerson } from "@/app/session";
import { PageHead } from "@/components/dashboard/frame/page-head";
import { InvitationTable, MemberTable } from "@/components/dashboard/team/team-tables";
import { Card } from "@/components/ui/card";
import { Notice } from "@/components/ui/notice";
import { listInvitations } from "@/db/queries/users/invitations";
import { listMembers } from "@/db/queries/users/memberships";
import { may } from "@/lib/domain/keys/role";

export const generateMetadata = pageTitle("team");

export default async function TeamPage() {
  const person = await requirePerson();
  const t = await getTranslations("team");
  const { pool, env, ...context } = getContext();
  const now = context.now();
  const isOwner = may(person.role, "own");
  const [members, invitations] = await Promise.all([
    listMembers(pool.db, person.merchantId),
    isOwner ? listInvitations(pool.db, person.merchantId, now) : [],
  ]);
  return (
    <>
      <PageHead
        title={t("title")}
        hint={t("hint", { shop: person.merchantName })}
        action={isOwner ? <InvitePerson /> : null}
      />
      <div className="grid gap-4">
        {isOwner && env.registration === "closed" ? <Notice tone="info">{t("closed")}</Notice> : null}
        <Card title={t("people")} isFlush>
          <MemberTable
            members={members}
            ownId={person.user.id}
            now={now}
            actionsFor={(member) => {
              const isSelf = member.userId === person.user.id;
              return isOwner || isSelf ? <MemberActions member={member} isSelf={isSelf} isOwner={isOwner} /> : null;
            }}
          />
        </Card>
        <AskFactorsCard isAsked={person.asksFactor} isOwner={isOwner} />
        {invitations.length > 0 ? (
          <Card title={t("invitations")} hint={t("invitationsHint")} isFlush>
            <InvitationTable
              invitations={invitations}
              now={now}
              actionsFor={({ id, email }) => <InvitationActions id={id} email={email} />}
            />
          </Card>
        ) : null}
      </div>
    </>
  );
}
