import Link from "next/link";
import { transferText } from "@/components/dashboard/frame/amount";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { getNetwork, networkTitle } from "@/lib/domain/networks";
import { isLookAlike, LOOK_ALIKE_ADVICE, type TokenRef, tokenOf } from "@/lib/domain/transfers/transfer";

interface OrderMisdirectedProps {
  misdirected: readonly (TokenRef & { id: string; baseUnits: bigint })[];
}

/** Money that was meant for this order beyond doubt and does not count for it: its payer was told to ask the merchant. */
export function OrderMisdirected({ misdirected }: OrderMisdirectedProps) {
  return misdirected.map((misdirected) => (
    <Notice
      key={misdirected.id}
      tone="warn"
      action={
        <Button asChild size="small">
          <Link href={`/dashboard/transfers/${misdirected.id}`}>Decide</Link>
        </Button>
      }
    >
      {transferText(misdirected)} arrived on {networkTitle(getNetwork(misdirected.network))} for this order, so it does
      not count by itself. The payer was told, and may ask you. {choiceText(misdirected)}
    </Notice>
  ));
}

function choiceText(misdirected: TokenRef): string {
  const token = tokenOf(misdirected);
  return isLookAlike(token) ? LOOK_ALIKE_ADVICE : "Assign the transfer to accept it, or send it back.";
}
