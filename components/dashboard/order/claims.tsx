import Link from "next/link";
import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button";
import { Identifier } from "@/components/ui/identifier";
import { Notice } from "@/components/ui/notice";
import { Time } from "@/components/ui/time";

interface OrderClaimsProps {
  orderId: string;
  claims: readonly {
    txId: string;
    claimedAt: Date;
    transfer: { id: string; orderId: string | null } | null;
  }[];
  now: Date;
}

/** Renders the transactions that the payer of an order entered, except those that are credited to it. */
export function OrderClaims({ orderId, claims, now }: OrderClaimsProps) {
  const t = useTranslations("claims");
  return claims
    .filter(({ transfer }) => transfer?.orderId !== orderId)
    .map(({ txId, claimedAt, transfer }) => (
      <Notice
        key={txId}
        tone="warn"
        action={
          transfer && (
            <Button asChild size="small">
              <Link href={`/dashboard/transfers/${transfer.id}`}>{t("showTransfer")}</Link>
            </Button>
          )
        }
      >
        {t(transfer === null ? "absent" : transfer.orderId === null ? "unmatched" : "otherOrder")}{" "}
        <span className="text-[0.8125rem]">
          <Identifier text={txId} what={t("what")} isShort />,{" "}
          <Time at={claimedAt.toISOString()} now={now.toISOString()} />
        </span>
      </Notice>
    ));
}
