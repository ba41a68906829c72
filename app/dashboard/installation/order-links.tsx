import Link from "next/link";
import { useTranslations } from "next-intl";
import type { OpenOnNetwork } from "@/lib/domain/networks/closure";

/** Renders links to the confirming orders of a network. Users of the merchant that owns an order can open the link to that order. */
export function OrderLinks({ open }: { open: Pick<OpenOnNetwork, "confirming" | "confirmingCount"> }) {
  const t = useTranslations("closing");
  const { confirming, confirmingCount } = open;
  return (
    <ul className="grid max-h-48 gap-1 overflow-y-auto">
      {confirming.map(({ tradeId, merchantName, mchOrderId }) => (
        <li key={tradeId}>
          <Link href={`/dashboard/orders/${tradeId}`} className="block min-h-6 break-all font-medium hover:underline">
            {t("orderOf", { merchant: merchantName, number: mchOrderId })}
          </Link>
        </li>
      ))}
      {confirmingCount > confirming.length ? (
        <li className="text-ink-soft">{t("more", { count: confirmingCount - confirming.length })}</li>
      ) : null}
    </ul>
  );
}
