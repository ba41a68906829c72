import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Badge } from "@/components/ui/badge";
import { Cell, Table } from "@/components/ui/table";
import type { Way } from "@/lib/domain/notifications/notification";

interface Channel {
  id: string;
  way: Way;
  shown: string;
  verifiedAt: Date | null;
  /** The human-readable reason why the last message was not delivered. */
  problem: string | null;
}

interface ChannelTableProps {
  channels: readonly Channel[];
  actionsFor(channel: Channel): ReactNode;
}

/** Renders a user's notification channels with their state. */
export function ChannelTable({ channels, actionsFor }: ChannelTableProps) {
  const t = useTranslations("notifications");
  return (
    <Table
      caption={t("channels")}
      head={[{ text: t("kind") }, { text: t("where") }, { text: t("state") }, { text: t("actions"), isHidden: true }]}
    >
      {channels.map((channel) => (
        <tr key={channel.id}>
          <Cell>{t(`way.${channel.way}`)}</Cell>
          <Cell className="font-mono text-[0.8125rem]">{channel.shown}</Cell>
          <Cell isWrapped className="sm:min-w-40">
            <State channel={channel} />
          </Cell>
          <Cell isAction>{actionsFor(channel)}</Cell>
        </tr>
      ))}
    </Table>
  );
}

function State({ channel: { verifiedAt, problem } }: { channel: Channel }) {
  const t = useTranslations("notifications");
  if (!verifiedAt) return <Badge tone="warn">{t("waits")}</Badge>;
  if (problem === null) return <Badge tone="good">{t("works")}</Badge>;
  return (
    <>
      <Badge tone="bad">{t("failing")}</Badge>
      <p className="mt-1 max-w-xs text-[0.8125rem] text-ink-soft wrap-anywhere">{problem}</p>
    </>
  );
}
