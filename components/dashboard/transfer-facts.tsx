import { Fact, Facts } from "@/components/dashboard/facts";
import { depthText, type TransferRow } from "@/components/dashboard/transfer-table";
import { Identifier } from "@/components/ui/identifier";
import { Time } from "@/components/ui/time";
import { displayAddress } from "@/lib/domain/address";
import { getNetwork, networkTitle } from "@/lib/domain/networks";

interface TransferFactsProps {
  transfer: TransferRow & { blockTime: Date; confirmedAt: Date | null };
  now: Date;
}

/** What the chain says of a transfer. */
export function TransferFacts({ transfer, now }: TransferFactsProps) {
  const network = getNetwork(transfer.network);
  const time = (at: Date) => <Time at={at.toISOString()} now={now.toISOString()} />;
  const address = (text: string, what: string) => (
    <Identifier text={text} what={what} isShort href={network.explorer.address.replace("{}", text)} />
  );
  return (
    <Facts>
      <Fact name="Network">
        {networkTitle(network)}, {transfer.currency}
      </Fact>
      <Fact name="Transaction">
        <Identifier
          text={transfer.txId}
          what="transaction hash"
          isShort
          href={network.explorer.tx.replace("{}", transfer.txId)}
        />
      </Fact>
      <Fact name="To your address">{address(displayAddress(transfer.toAddress), "receiving address")}</Fact>
      <Fact name="From">{address(displayAddress(transfer.fromAddress), "sender's address")}</Fact>
      <Fact name="Depth">{depthText(transfer)}</Fact>
      <Fact name="Block time">{time(transfer.blockTime)}</Fact>
      <Fact name="Seen">{time(transfer.seenAt)}</Fact>
      {transfer.confirmedAt ? <Fact name="Confirmed">{time(transfer.confirmedAt)}</Fact> : null}
    </Facts>
  );
}
