import Link from "next/link";
import { amountText } from "@/components/dashboard/amount";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { getNetwork, networkTitle } from "@/lib/domain/networks";

interface OrderStraysProps {
  strays: readonly { id: string; network: string; currency: string; baseUnits: bigint }[];
}

/** Money that was meant for this order beyond doubt and does not count for it: its payer was told to ask the merchant. */
export function OrderStrays({ strays }: OrderStraysProps) {
  return strays.map(({ id, network, currency, baseUnits }) => (
    <Notice
      key={id}
      tone="warn"
      action={
        <Button asChild size="small">
          <Link href={`/dashboard/transfers/${id}`}>Decide</Link>
        </Button>
      }
    >
      {amountText(baseUnits, network, currency)} {currency} arrived on {networkTitle(getNetwork(network))} for this
      order, so it does not count by itself. The payer was told, and may ask you. Assign the transfer to accept it, or
      send it back.
    </Notice>
  ));
}
