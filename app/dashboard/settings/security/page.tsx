import { getTranslations } from "next-intl/server";
import { getContext } from "@/app/context";
import { FactorCards } from "@/app/dashboard/settings/security/factor-cards";
import { EndOne, EndOthers } from "@/app/dashboard/settings/security/session-buttons";
import { pageTitle } from "@/app/language/page-title";
import { requirePerson } from "@/app/session";
import { PageHead } from "@/components/dashboard/frame/page-head";
import { Badge } from "@/components/ui/badge";
import { Card } from "@/components/ui/card";
import { Cell, Table } from "@/components/ui/table";
import { Time } from "@/components/ui/time";
import { countRecoveryCodes, findTotp, listPasskeys } from "@/db/queries/users/factors";
import { listSessions } from "@/db/queries/users/sessions";
import { startOfLiving } from "@/lib/users/session";

export const generateMetadata = pageTitle("security");

export default async function SecurityPage() {
  const person = await requirePerson();
  const t = await getTranslations("security");
  const { pool, ...context } = getContext();
  const now = context.now();
  const userId = person.user.id;
  const [sessions, totp, recoveryCodes, passkeys] = await Promise.all([
    listSessions(pool.db, userId, startOfLiving(now)),
    findTotp(pool.db, userId),
    countRecoveryCodes(pool.db, userId),
    listPasskeys(pool.db, userId),
  ]);
  const isThis = (id: string) => id === person.session.id;
  const at = (moment: Date) => <Time at={moment.toISOString()} now={now.toISOString()} />;
  return (
    <>
      <PageHead title={t("title")} hint={t("hint")} />
      <div className="grid gap-4">
        <FactorCards totpSince={totp?.since ?? null} recoveryCodes={recoveryCodes} passkeys={passkeys} now={now} />
        <Card
          title={t("sessions")}
          hint={t("sessionsHint")}
          action={sessions.length > 1 ? <EndOthers /> : null}
          isFlush
        >
          <Table
            caption={t("caption")}
            head={[
              { text: t("browser") },
              { text: t("network") },
              { text: t("signedIn") },
              { text: t("lastSeen") },
              { text: t("actions"), isHidden: true },
            ]}
          >
            {sessions.map(({ id, browser, network, createdAt, lastSeenAt }) => (
              <tr key={id}>
                <Cell>{browser}</Cell>
                <Cell className="font-mono text-[0.8125rem]">{network}</Cell>
                <Cell>{at(createdAt)}</Cell>
                <Cell>{at(isThis(id) ? now : lastSeenAt)}</Cell>
                <Cell isAction>
                  {isThis(id) ? <Badge tone="good">{t("thisOne")}</Badge> : <EndOne id={id} browser={browser} />}
                </Cell>
              </tr>
            ))}
          </Table>
        </Card>
      </div>
    </>
  );
}
