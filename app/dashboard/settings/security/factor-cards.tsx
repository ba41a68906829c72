import { getLocale, getTranslations } from "next-intl/server";
import {
  AddPasskey,
  RemovePasskey,
  RemoveTotp,
  RenewCodes,
  SetUpTotp,
} from "@/app/dashboard/settings/security/factor-dialogs";
import { Badge } from "@/components/ui/badge";
import { Card } from "@/components/ui/card";
import { cn } from "@/components/ui/class-names";
import { Cell, Table } from "@/components/ui/table";
import { Time } from "@/components/ui/time";

interface FactorCardsProps {
  totpSince: Date | null;
  recoveryCodes: number;
  passkeys: readonly { id: string; name: string; createdAt: Date; lastUsedAt: Date | null }[];
  now: Date;
}

/** Renders the user's second factors, with the actions to add and remove them. */
export async function FactorCards({ totpSince, recoveryCodes, passkeys, now }: FactorCardsProps) {
  const t = await getTranslations("factors");
  const locale = await getLocale();
  const hasOne = totpSince !== null || passkeys.length > 0;
  const date = totpSince?.toLocaleDateString(locale, { dateStyle: "medium", timeZone: "UTC" });
  const app = (
    <span className="flex items-center gap-2">
      {t("app")}
      {totpSince ? <Badge tone="good">{t("on")}</Badge> : null}
    </span>
  );
  return (
    <>
      <div className={cn("grid items-start gap-4", hasOne && "lg:grid-cols-2")}>
        <Card title={app} action={totpSince ? <RemoveTotp /> : <SetUpTotp />}>
          <p className="text-ink-soft">{date ? t("appOn", { date }) : t("appOff")}</p>
        </Card>
        {hasOne ? (
          <Card title={t("recovery")} action={<RenewCodes />}>
            <p className="text-ink-soft">{t("recoveryLeft", { count: recoveryCodes })}</p>
          </Card>
        ) : null}
      </div>
      <Card title={t("passkeys")} hint={t("passkeysHint")} action={<AddPasskey />} isFlush={passkeys.length > 0}>
        {passkeys.length > 0 ? (
          <PasskeyTable passkeys={passkeys} now={now} />
        ) : (
          <p className="text-ink-soft">{t("noPasskeys")}</p>
        )}
      </Card>
    </>
  );
}

async function PasskeyTable({ passkeys, now }: Pick<FactorCardsProps, "passkeys" | "now">) {
  const t = await getTranslations("factors");
  const at = (moment: Date) => <Time at={moment.toISOString()} now={now.toISOString()} />;
  return (
    <Table
      caption={t("passkeys")}
      head={[
        { text: t("passkeyName") },
        { text: t("added") },
        { text: t("lastUsed") },
        { text: t("actions"), isHidden: true },
      ]}
    >
      {passkeys.map(({ id, name, createdAt, lastUsedAt }) => (
        <tr key={id}>
          <Cell className="max-w-64 truncate">{name}</Cell>
          <Cell>{at(createdAt)}</Cell>
          <Cell>{lastUsedAt ? at(lastUsedAt) : t("never")}</Cell>
          <Cell isAction>
            <RemovePasskey id={id} name={name} />
          </Cell>
        </tr>
      ))}
    </Table>
  );
}
