import { getTranslations } from "next-intl/server";
import { CloseNetwork } from "@/app/dashboard/installation/close-network";
import { OrderLinks } from "@/app/dashboard/installation/order-links";
import { ReopenNetwork } from "@/app/dashboard/installation/reopen-network";
import { Badge } from "@/components/ui/badge";
import { Card } from "@/components/ui/card";
import { Cell, Table } from "@/components/ui/table";
import { Time } from "@/components/ui/time";
import { type Closure, COMMAND_LINE, type OpenOnNetwork } from "@/lib/domain/networks/closure";

/** A network with the open orders on it. */
export interface ListedNetwork {
  id: string;
  name: string;
  /** The closure of the network; null while it is open. */
  closure: Closure | null;
  open: OpenOnNetwork;
}

/** Renders the networks of the installation, which an operator can close and reopen. */
export async function NetworksCard({ networks, now }: { networks: readonly ListedNetwork[]; now: Date }) {
  const t = await getTranslations("closing");
  const head = [
    { text: t("network") },
    { text: t("state") },
    { text: t("pending"), isRight: true },
    { text: t("held"), isRight: true },
    { text: t("confirming") },
    { text: t("actions"), isHidden: true },
  ];
  return (
    <Card title={t("title")} hint={t("hint")} isFlush>
      <Table caption={t("caption")} head={head}>
        {networks.map(({ id, name, closure, open }) => (
          <tr key={id}>
            <Cell className="font-medium">{name}</Cell>
            <Cell className="whitespace-normal">
              <Badge tone={closure ? "neutral" : "good"} hasDot>
                {t(closure ? "closed" : "open")}
              </Badge>
              {closure ? <ClosedBy closure={closure} now={now} /> : null}
            </Cell>
            <Cell isRight>{open.pendingCount}</Cell>
            <Cell isRight>{open.heldCount}</Cell>
            <Cell className="max-w-48">{open.confirmingCount === 0 ? 0 : <OrderLinks open={open} />}</Cell>
            <Cell isAction>
              {closure ? <ReopenNetwork id={id} name={name} /> : <CloseNetwork id={id} name={name} open={open} />}
            </Cell>
          </tr>
        ))}
      </Table>
    </Card>
  );
}

async function ClosedBy({ closure, now }: { closure: Closure; now: Date }) {
  const t = await getTranslations("closing");
  const who = closure.closedBy === COMMAND_LINE ? t("byCommand") : closure.closedBy;
  return (
    <div className="mt-1 max-w-[24rem] text-[0.8125rem] text-ink-soft [overflow-wrap:anywhere]">
      {who}, <Time at={closure.closedAt.toISOString()} now={now.toISOString()} />
      {closure.reason ? <p>{closure.reason}</p> : null}
    </div>
  );
}
