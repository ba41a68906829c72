import Link from "next/link";
import { useTranslations } from "next-intl";
import { transferText } from "@/components/dashboard/frame/amount";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { getNetwork, networkTitle } from "@/lib/domain/networks";
import { isLookAlike, type TokenRef, tokenOf } from "@/lib/domain/transfers/transfer";

interface OrderMisdirectedProps {
  misdirected: readonly (TokenRef & { id: string; baseUnits: bigint })[];
}

/**
 * Renders transfers that were certainly meant for this order but are not credited to it. The payment page asked the payer to contact the
 * merchant.
 */
export function OrderMisdirected({ misdirected }: OrderMisdirectedProps) {
  const t = useTranslations("order");
  const advice = useTranslations("transfers");
  return misdirected.map((misdirected) => (
    <Notice
      key={misdirected.id}
      tone="warn"
      action={
        <Button asChild size="small">
          <Link href={`/dashboard/transfers/${misdirected.id}`}>{t("decide")}</Link>
        </Button>
      }
    >
      {t("misdirected", {
        amount: transferText(misdirected),
        network: networkTitle(getNetwork(misdirected.network)),
      })}{" "}
      {isLookAlike(tokenOf(misdirected)) ? advice("lookAlikeAdvice") : t("assignOrReturn")}
    </Notice>
  ));
}
