import { useTranslations } from "next-intl";
import { Fact, Facts } from "@/components/dashboard/frame/facts";
import type { TransferRow } from "@/components/dashboard/transfers/table";
import { depthText } from "@/components/dashboard/transfers/transfer-text";
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

/** Renders the on-chain facts of a transfer. */
export function TransferFacts({ transfer, now, isSandbox }: TransferFactsProps) {
  const t = useTranslations("transfer");
  const list = useTranslations("transfers");
  const order = useTranslations("order");
  const network = getNetwork(transfer.network);
  const token = tokenOf(transfer);
  const time = (at: Date) => <Time at={at.toISOString()} now={now.toISOString()} hasExact />;
  const address = (stored: string, what: string) => {
    if (stored === "") return t("minted");
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
      <Fact name={t("network")}>
        {networkTitle(network)}, {tokenName(token)}
      </Fact>
      {isLookAlike(token) ? (
        <Fact name={t("token", { symbol: token.symbol })}>
          <Identifier
            text={token.contract}
            what={t("tokenWhat")}
            isShort
            href={linkUnless(isSandbox, tokenUrl(network, token.contract))}
          />
        </Fact>
      ) : null}
      <Fact name={t("transaction")}>
        <Identifier
          text={displayTxId(network.family, transfer.txId)}
          what={list("hash")}
          isShort
          href={linkUnless(isSandbox, transactionUrl(network, transfer.txId))}
        />
      </Fact>
      <Fact name={t("to")}>{address(transfer.toAddress, order("receivingWhat"))}</Fact>
      <Fact name={t("from")}>{address(transfer.fromAddress, list("sender"))}</Fact>
      <Fact name={t("depth")}>{depthText(transfer, list)}</Fact>
      <Fact name={t("blockTime")}>{time(transfer.blockTime)}</Fact>
      <Fact name={t("seen")}>{time(transfer.seenAt)}</Fact>
      {transfer.confirmedAt ? <Fact name={t("confirmed")}>{time(transfer.confirmedAt)}</Fact> : null}
    </Facts>
  );
}
