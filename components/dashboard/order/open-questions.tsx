import Link from "next/link";
import { useTranslations } from "next-intl";
import type { AreaItem } from "@/components/dashboard/frame/action-area";
import { transferText } from "@/components/dashboard/frame/amount";
import { Button } from "@/components/ui/button";
import { Identifier } from "@/components/ui/identifier";
import { Time } from "@/components/ui/time";
import { getNetwork, networkTitle } from "@/lib/domain/networks";
import { isLookAlike, type TokenRef, tokenOf } from "@/lib/domain/transfers/transfer";

export interface MisdirectedTransfer extends TokenRef {
  id: string;
  baseUnits: bigint;
}

export interface OrderClaim {
  txId: string;
  claimedAt: Date;
  transfer: { id: string; orderId: string | null } | null;
}

/** Renders the link to a transfer about which a user decides. */
export function ShowTransfer({ transferId }: { transferId: string }) {
  const t = useTranslations("actions");
  return (
    <Button asChild size="small">
      <Link href={`/dashboard/transfers/${transferId}`}>{t("showTransfer")}</Link>
    </Button>
  );
}

interface MisdirectedTextProps {
  transfer: MisdirectedTransfer;
}

function MisdirectedText({ transfer }: MisdirectedTextProps) {
  const t = useTranslations("order");
  const advice = useTranslations("transfers");
  const network = networkTitle(getNetwork(transfer.network));
  return (
    <>
      {t("misdirected", { amount: transferText(transfer), network })}{" "}
      {isLookAlike(tokenOf(transfer)) ? advice("lookAlikeAdvice") : t("assignOrReturn")}
    </>
  );
}

interface ClaimTextProps {
  claim: OrderClaim;
  now: Date;
}

function ClaimText({ claim: { txId, claimedAt, transfer }, now }: ClaimTextProps) {
  const t = useTranslations("claims");
  return (
    <>
      {t(transfer === null ? "absent" : transfer.orderId === null ? "unmatched" : "otherOrder")}{" "}
      <Identifier text={txId} what={t("what")} isShort />, <Time at={claimedAt.toISOString()} now={now.toISOString()} />
    </>
  );
}

/**
 * Returns an item for each transfer that was certainly meant for an order but is not credited to it. The payment page asked the payer to
 * contact the merchant.
 */
export function itemsOfMisdirected(misdirected: readonly MisdirectedTransfer[], title: string): AreaItem[] {
  return misdirected.map((transfer) => ({
    key: transfer.id,
    title,
    text: <MisdirectedText transfer={transfer} />,
    action: <ShowTransfer transferId={transfer.id} />,
  }));
}

/** Returns the claims of an order's payer about transactions that are not credited to the order. */
export function listOpenClaims(claims: readonly OrderClaim[], orderId: string): OrderClaim[] {
  return claims.filter(({ transfer }) => transfer?.orderId !== orderId);
}

/** Returns an item for each claim of an order's payer. */
export function itemsOfClaims(claims: readonly OrderClaim[], title: string, now: Date): AreaItem[] {
  return claims.map((claim) => ({
    key: claim.txId,
    title,
    text: <ClaimText claim={claim} now={now} />,
    action: claim.transfer && <ShowTransfer transferId={claim.transfer.id} />,
  }));
}
