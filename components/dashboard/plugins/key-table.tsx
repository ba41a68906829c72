import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Badge } from "@/components/ui/badge";
import { Cell, Table } from "@/components/ui/table";
import { Time } from "@/components/ui/time";
import type { IntegrationView } from "@/lib/domain/integrations/integration";

export interface PluginKeyLine {
  id: string;
  /** The application that received the key; "" if a user stores it. */
  label: string;
  /** The characters that identify the key. */
  shown: string;
  createdAt: Date;
  lastUsedAt: Date | null;
  endsAt: Date | null;
  /** The public key with which the shop verifies signatures of this service; only for a key pair. */
  platformKey?: string | undefined;
}

interface KeyTableProps {
  integration: Pick<IntegrationView, "name" | "terms">;
  keys: readonly PluginKeyLine[];
  now: Date;
  actionFor(key: PluginKeyLine): ReactNode;
}

/** Renders the live keys of a plugin, one per row. */
export function PluginKeyTable({ integration, keys, now, actionFor }: KeyTableProps) {
  const t = useTranslations("plugins");
  const head = [
    { text: integration.terms.key },
    { text: t("state") },
    { text: t("lastUsed"), isRight: true },
    { text: t("created"), isRight: true },
    { text: t("actions"), isHidden: true },
  ];
  const time = (at: Date) => <Time at={at.toISOString()} now={now.toISOString()} />;
  const lastUse = ({ lastUsedAt }: PluginKeyLine) => (lastUsedAt ? time(lastUsedAt) : t("never"));
  return (
    <Table caption={t("keys", { protocol: integration.name })} head={head}>
      {keys.map((key) => (
        <tr key={key.id}>
          <Cell isWrapped>
            <code className="font-mono text-[0.8125rem]">{key.shown}…</code>
            {key.label ? <span className="block text-ink-soft text-xs wrap-anywhere">{key.label}</span> : null}
          </Cell>
          <Cell isWrapped>
            <KeyState endsAt={key.endsAt} now={now} />
          </Cell>
          <Cell isRight className="text-ink-soft">
            {lastUse(key)}
          </Cell>
          <Cell isRight className="text-ink-soft">
            {time(key.createdAt)}
          </Cell>
          <Cell isAction>{actionFor(key)}</Cell>
        </tr>
      ))}
    </Table>
  );
}

function KeyState({ endsAt, now }: { endsAt: Date | null; now: Date }) {
  const t = useTranslations("plugins");
  if (!endsAt)
    return (
      <Badge tone="good" hasDot>
        {t("live")}
      </Badge>
    );
  return (
    <span className="inline-flex flex-wrap items-center gap-1.5">
      <Badge tone="warn" hasDot>
        {t("ends")}
      </Badge>
      <span className="text-ink-soft text-xs">
        <Time at={endsAt.toISOString()} now={now.toISOString()} />
      </span>
    </span>
  );
}
