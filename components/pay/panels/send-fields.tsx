/** @jsxImportSource hono/jsx */
import type { Messages } from "@/components/pay/messages/en";
import { Address } from "@/components/pay/parts/address";
import { CopyField } from "@/components/pay/parts/copy-field";
import type { CheckoutView } from "@/lib/domain/checkout/view";

/** How much to send, and to which address; both are copied by a button. */
export function SendFields({ view, t }: { view: CheckoutView; t: Messages }) {
  const { remaining } = view.amounts;
  return (
    <>
      {view.subject && (
        <p class="hint">
          <bdi>{view.subject}</bdi>
        </p>
      )}
      <CopyField
        id="amount"
        label={view.hasArrived ? t.remainingLabel : t.amountLabel}
        value={remaining}
        button={t.copyAmount}
        done={t.amountCopied}
        t={t}
      >
        <span class={numberClass(remaining)}>{remaining}</span> <span class="unit">{view.currency}</span>
      </CopyField>
      {view.price && (
        <p class="hint">
          <bdi>
            {view.price.amount} ({view.price.rate})
          </bdi>
        </p>
      )}
      <CopyField
        id="address"
        label={t.addressLabel}
        value={view.address}
        button={t.copyAddress}
        done={t.addressCopied}
        t={t}
      >
        <Address text={view.address} />
      </CopyField>
    </>
  );
}

/** Longer amounts are set smaller, so that they stay on one line of a small phone. */
function numberClass(amount: string): string {
  if (amount.length > 12) return "number longer";
  return amount.length > 9 ? "number long" : "number";
}
