import type { Metadata } from "next";
import { getContext } from "@/app/context";
import { AskFactorsCard } from "@/app/dashboard/settings/team/ask-factors";
import { InvitePerson } from "@/app/dashboard/settings/team/invite-person";
import { InvitationActions, MemberActions } from "@/app/dashboard/settings/team/member-actions";
import { requirePerson } from "@/app/session";
import { PageHead } from "@/components/dashboard/frame/page-head";
import { InvitationTable, MemberTable } from "@/components/dashboard/people/team-tables";
import { Card } from "@/components/ui/card";
import { Notice } from "@/components/ui/notice";
import { listInvitations } from "@/db/queries/people/invitations";
import { listMembers } from "@/db/queries/people/memberships";
import { may } from "@/lib/domain/keys/role";

export const metadata: Metadata = { title: "Team" };

export default async function TeamPage() {
  const person = await requirePerson();
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
        title="Team"
        hint={`Who works in ${person.merchantName}: owners do everything, admins all but people, viewers look.`}
        action={isOwner ? <InvitePerson /> : null}
      />
      <div className="grid gap-4">
        {isOwner && env.registration === "closed" ? (
          <Notice tone="info">
            Nobody new can register at this installation (REGISTRATION=closed): an invitation opens the shop only to
            people who have an account here already.
          </Notice>
        ) : null}
        <Card title="People" isFlush>
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
          <Card title="Invitations" hint="Each link works once, and for a week." isFlush>
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
