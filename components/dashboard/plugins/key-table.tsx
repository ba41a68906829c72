import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Badge } from "@/components/ui/badge";
import { Cell, Table } from "@/components/ui/table";
import { Time } from "@/components/ui/time";

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
  keys: readonly PluginKeyLine[];
  now: Date;
  actionFor(key: PluginKeyLine): ReactNode;
}

/** Renders the live keys of a plugin, one per row. */
export function PluginKeyTable({ keys, now, actionFor }: KeyTableProps) {
  const t = useTranslations("plugins");
  const head = [
    { text: t("key") },
    { text: t("state") },
    { text: t("lastUsed"), isRight: true },
    { text: t("created"), isRight: true, className: "hidden sm:table-cell" },
    { text: t("actions"), isHidden: true },
  ];
  const time = (at: Date) => <Time at={at.toISOString()} now={now.toISOString()} />;
  return (
    <Table caption={t("keys")} head={head}>
      {keys.map((key) => (
        <tr key={key.id}>
          <Cell>
            <code className="font-mono text-[0.8125rem]">{key.shown}…</code>
            {key.label ? <span className="block text-ink-soft text-xs wrap-anywhere">{key.label}</span> : null}
          </Cell>
          <Cell>
            {key.endsAt ? (
              <span className="inline-flex flex-wrap items-center gap-1.5">
                <Badge tone="warn" hasDot>
                  {t("ends")}
                </Badge>
                <span className="text-ink-soft text-xs">{time(key.endsAt)}</span>
              </span>
            ) : (
              <Badge tone="good" hasDot>
                {t("live")}
              </Badge>
            )}
          </Cell>
          <Cell isRight className="text-ink-soft">
            {key.lastUsedAt ? time(key.lastUsedAt) : t("never")}
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
