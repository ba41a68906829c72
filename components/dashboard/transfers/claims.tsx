import Link from "next/link";
import { useTranslations } from "next-intl";
import { Notice } from "@/components/ui/notice";
import { Time } from "@/components/ui/time";

interface TransferClaimsProps {
  claims: readonly { orderId: string; mchOrderId: string; claimedAt: Date }[];
  now: Date;
}

/** Renders the orders whose payers entered the transaction of a transfer that is credited to none of them. */
export function TransferClaims({ claims, now }: TransferClaimsProps) {
  const t = useTranslations("claims");
  if (claims.length === 0) return null;
  return (
    <Notice tone="warn">
      {t("ofOrders", { count: claims.length })}
      <ul className="mt-1 grid gap-0.5">
        {claims.map(({ orderId, mchOrderId, claimedAt }) => (
          <li key={orderId} className="flex flex-wrap gap-x-2">
            <Link href={`/dashboard/orders/${orderId}`} className="min-w-0 font-medium hover:underline">
              {mchOrderId}
            </Link>
            <Time at={claimedAt.toISOString()} now={now.toISOString()} />
          </li>
        ))}
      </ul>
    </Notice>
  );
}
