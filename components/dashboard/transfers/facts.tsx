import { Fact, Facts } from "@/components/dashboard/frame/facts";
import { depthText, type TransferRow } from "@/components/dashboard/transfers/table";
import { Identifier } from "@/components/ui/identifier";
import { Time } from "@/components/ui/time";
import {
  addressUrl,
  displayAddress,
  displayTxId,
  linkUnless,
  tokenUrl,
  transactionUrl,
} from "@/lib/domain/addresses/address";
import { getNetwork, networkTitle } from "@/lib/domain/networks";
import { isLookAlike, tokenName, tokenOf } from "@/lib/domain/transfers/transfer";

interface TransferFactsProps {
  transfer: TransferRow & { blockTime: Date; confirmedAt: Date | null };
  now: Date;
  isSandbox: boolean;
}

/** What the chain says of a transfer. */
export function TransferFacts({ transfer, now, isSandbox }: TransferFactsProps) {
  const network = getNetwork(transfer.network);
  const token = tokenOf(transfer);
  const time = (at: Date) => <Time at={at.toISOString()} now={now.toISOString()} />;
  const address = (stored: string, what: string) => {
    if (stored === "") return "nobody: newly made tokens";
    return (
      <Identifier
        text={displayAddress(network.family, stored)}
        what={what}
        isShort
        href={linkUnless(isSandbox, addressUrl(network, stored))}
      />
    );
  };
  return (
    <Facts>
      <Fact name="Network">
        {networkTitle(network)}, {tokenName(token)}
      </Fact>
      {isLookAlike(token) ? (
        <Fact name={`Token contract, shown as ${token.symbol}`}>
          <Identifier
            text={token.contract}
            what="token contract"
            isShort
            href={linkUnless(isSandbox, tokenUrl(network, token.contract))}
          />
        </Fact>
      ) : null}
      <Fact name="Transaction">
        <Identifier
          text={displayTxId(network.family, transfer.txId)}
          what="transaction hash"
          isShort
          href={linkUnless(isSandbox, transactionUrl(network, transfer.txId))}
        />
      </Fact>
      <Fact name="To your address">{address(transfer.toAddress, "receiving address")}</Fact>
      <Fact name="From">{address(transfer.fromAddress, "sender's address")}</Fact>
      <Fact name="Depth">{depthText(transfer)}</Fact>
      <Fact name="Block time">{time(transfer.blockTime)}</Fact>
      <Fact name="Seen">{time(transfer.seenAt)}</Fact>
      {transfer.confirmedAt ? <Fact name="Confirmed">{time(transfer.confirmedAt)}</Fact> : null}
    </Facts>
  );
}
