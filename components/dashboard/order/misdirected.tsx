import Link from "next/link";
import { transferText } from "@/components/dashboard/frame/amount";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { getNetwork, networkTitle } from "@/lib/domain/networks";
import { isLookAlike, LOOK_ALIKE_ADVICE, type TokenRef, tokenOf } from "@/lib/domain/networks/token";

interface OrderStraysProps {
  strays: readonly (TokenRef & { id: string; baseUnits: bigint })[];
}

/** Money that was meant for this order beyond doubt and does not count for it: its payer was told to ask the merchant. */
export function OrderStrays({ strays }: OrderStraysProps) {
  return strays.map((stray) => (
    <Notice
      key={stray.id}
      tone="warn"
      action={
        <Button asChild size="small">
          <Link href={`/dashboard/transfers/${stray.id}`}>Decide</Link>
        </Button>
      }
    >
      {transferText(stray)} arrived on {networkTitle(getNetwork(stray.network))} for this order, so it does not count by
      itself. The payer was told, and may ask you. {choiceText(stray)}
    </Notice>
  ));
}

function choiceText(stray: TokenRef): string {
  const token = tokenOf(stray);
  return isLookAlike(token) ? LOOK_ALIKE_ADVICE : "Assign the transfer to accept it, or send it back.";
}
