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

/** Renders the live keys of a plugin, one per row. On small screens the state and the last use are below the key, because columns for them do not fit. */
export function PluginKeyTable({ integration, keys, now, actionFor }: KeyTableProps) {
  const t = useTranslations("plugins");
  const head = [
    { text: integration.terms.key },
    { text: t("state"), className: "hidden sm:table-cell" },
    { text: t("lastUsed"), isRight: true, className: "hidden sm:table-cell" },
    { text: t("created"), isRight: true, className: "hidden sm:table-cell" },
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
            <span className="mt-1 grid justify-items-start gap-1 text-ink-soft text-xs sm:hidden">
              <KeyState endsAt={key.endsAt} now={now} />
              <span>
                {t("lastUsed")}: {lastUse(key)}
              </span>
            </span>
          </Cell>
          <Cell isWrapped className="hidden sm:table-cell">
            <KeyState endsAt={key.endsAt} now={now} />
          </Cell>
          <Cell isRight className="hidden text-ink-soft sm:table-cell">
            {lastUse(key)}
          </Cell>
          <Cell isRight className="hidden text-ink-soft sm:table-cell">
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
