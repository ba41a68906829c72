import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Badge } from "@/components/ui/badge";
import { Cell, Table } from "@/components/ui/table";
import { Time } from "@/components/ui/time";
import { type KeyRules, type OptInType, USUAL_SCOPES } from "@/lib/domain/keys/key-rules";

export interface KeyRow extends KeyRules {
  id: string;
  name: string;
  prefix: string;
  /** The events that the key's merchant receives besides confirmed payments. */
  optIns: readonly OptInType[];
  createdAt: Date;
  lastUsedAt: Date | null;
  endsAt: Date | null;
  rotatedToId: string | null;
  /** The time when a plugin asked to use the key and was refused; null: no request is open. */
  pluginRequestedAt: Date | null;
  isDefault: boolean;
  /** True if the key is not revoked and, if it was replaced, the overlap has not ended. */
  isLive: boolean;
}

interface KeyTableProps {
  keys: readonly KeyRow[];
  now: Date;
  /** Renders the actions on a live key. */
  actionsFor(key: KeyRow): ReactNode;
}

/** Renders API keys, one per row, including revoked and expired ones. */
export function KeyTable({ keys, now, actionsFor }: KeyTableProps) {
  const t = useTranslations("apiKeys");
  const head = [
    { text: t("name") },
    { text: t("key") },
    { text: t("state") },
    { text: t("lastUsed"), isRight: true },
    { text: t("created"), isRight: true },
    { text: t("actions"), isHidden: true },
  ];
  const time = (at: Date) => <Time at={at.toISOString()} now={now.toISOString()} />;
  return (
    <Table caption={t("title")} head={head}>
      {keys.map((key) => (
        <tr key={key.id} className={key.isLive ? undefined : "text-ink-soft"}>
          <Cell className="max-w-56 truncate font-medium">{key.name}</Cell>
          <Cell>
            <code className="font-mono text-[0.8125rem]">{key.prefix}…</code>
          </Cell>
          <Cell>
            <KeyState apiKey={key} now={now} />
          </Cell>
          <Cell isRight className="text-ink-soft">
            {key.lastUsedAt ? time(key.lastUsedAt) : t("never")}
          </Cell>
          <Cell isRight className="text-ink-soft">
            {time(key.createdAt)}
          </Cell>
          <Cell isAction>{key.isLive ? actionsFor(key) : null}</Cell>
        </tr>
      ))}
    </Table>
  );
}

function KeyState({ apiKey, now }: { apiKey: KeyRow; now: Date }) {
  const t = useTranslations("apiKeys");
  if (!apiKey.isLive) return <Badge tone="neutral">{apiKey.rotatedToId ? t("rotated") : t("revoked")}</Badge>;
  return (
    <span className="inline-flex flex-wrap items-center gap-1.5">
      {apiKey.endsAt ? (
        <>
          <Badge tone="warn" hasDot>
            {t("ends")}
          </Badge>
          <span className="text-ink-soft text-xs">
            <Time at={apiKey.endsAt.toISOString()} now={now.toISOString()} />
          </span>
        </>
      ) : (
        <Badge tone="good" hasDot>
          {t("live")}
        </Badge>
      )}
      {apiKey.isDefault ? <Badge tone="info">{t("isDefault")}</Badge> : null}
      {apiKey.optIns.length > 0 ? (
        <Badge tone="neutral">{t("eventCount", { count: apiKey.optIns.length })}</Badge>
      ) : null}
      {apiKey.mustSign ? <Badge tone="info">{t("signedOnly")}</Badge> : null}
      {hasUsualScopes(apiKey) ? null : <Badge tone="info">{apiKey.scopes.join(", ")}</Badge>}
      {apiKey.cidrs.length > 0 ? <Badge tone="info">{t("ipList")}</Badge> : null}
      {apiKey.callbackFormat === "standard" ? null : <Badge tone="info">{t("pluginFormat")}</Badge>}
      {apiKey.isForPlugin ? <Badge tone="info">{t("isForPlugin")}</Badge> : null}
      {apiKey.isForAgents ? <Badge tone="info">{t("isForAgents")}</Badge> : null}
      {apiKey.pluginRequestedAt ? (
        <a href="/dashboard/settings/plugins" className="hover:underline">
          <Badge tone="warn">{t("pluginRequested")}</Badge>
        </a>
      ) : null}
    </span>
  );
}

function hasUsualScopes({ scopes }: Pick<KeyRules, "scopes">): boolean {
  return scopes.length === USUAL_SCOPES.length && USUAL_SCOPES.every((scope) => scopes.includes(scope));
}
