import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Badge, type Tone } from "@/components/ui/badge";
import { Cell, Table } from "@/components/ui/table";
import { Time } from "@/components/ui/time";
import type { Role } from "@/lib/domain/keys/role";

const TONE: Record<Role, Tone> = { owner: "good", admin: "info", viewer: "neutral" };

interface Member {
  userId: string;
  email: string;
  role: Role;
  since: Date;
  signedInAt: Date | null;
}

interface MemberTableProps<T extends Member> {
  members: readonly T[];
  /** The id of the viewer. */
  ownId: string;
  now: Date;
  actionsFor(member: T): ReactNode;
}

/** Renders the members of a shop. */
export function MemberTable<T extends Member>({ members, ownId, now, actionsFor }: MemberTableProps<T>) {
  const t = useTranslations("team");
  return (
    <Table
      caption={t("peopleCaption")}
      head={[
        { text: t("email") },
        { text: t("role") },
        { text: t("since"), className: "hidden md:table-cell" },
        { text: t("lastSignIn"), className: "hidden md:table-cell" },
        { text: t("actions"), isHidden: true },
      ]}
    >
      {members.map((member) => (
        <tr key={member.userId}>
          <Cell isWrapped className="break-all">
            {member.email}
            {member.userId === ownId ? <span className="text-ink-soft"> {t("you")}</span> : null}
          </Cell>
          <Cell>
            <Badge tone={TONE[member.role]}>{t(member.role)}</Badge>
          </Cell>
          <Cell className="hidden md:table-cell">
            <Time at={member.since.toISOString()} now={now.toISOString()} />
          </Cell>
          <Cell className="hidden md:table-cell">
            {member.signedInAt ? <Time at={member.signedInAt.toISOString()} now={now.toISOString()} /> : t("notLately")}
          </Cell>
          <Cell isAction>{actionsFor(member)}</Cell>
        </tr>
      ))}
    </Table>
  );
}

interface Invitation {
  id: string;
  email: string;
  role: Role;
  invitedBy: string;
  expiresAt: Date;
}

interface InvitationTableProps<T extends Invitation> {
  invitations: readonly T[];
  now: Date;
  actionsFor(invitation: T): ReactNode;
}

/** Renders the invitations that have not been used yet. */
export function InvitationTable<T extends Invitation>({ invitations, now, actionsFor }: InvitationTableProps<T>) {
  const t = useTranslations("team");
  return (
    <Table
      caption={t("invitationsCaption")}
      head={[
        { text: t("email") },
        { text: t("role") },
        { text: t("invitedBy"), className: "hidden md:table-cell" },
        { text: t("ends"), className: "hidden sm:table-cell" },
        { text: t("actions"), isHidden: true },
      ]}
    >
      {invitations.map((invitation) => (
        <tr key={invitation.id}>
          <Cell isWrapped className="break-all">
            {invitation.email}
          </Cell>
          <Cell>
            <Badge tone={TONE[invitation.role]}>{t(invitation.role)}</Badge>
          </Cell>
          <Cell className="hidden md:table-cell">{invitation.invitedBy}</Cell>
          <Cell className="hidden sm:table-cell">
            <Time at={invitation.expiresAt.toISOString()} now={now.toISOString()} />
          </Cell>
          <Cell isAction>{actionsFor(invitation)}</Cell>
        </tr>
      ))}
    </Table>
  );
}
