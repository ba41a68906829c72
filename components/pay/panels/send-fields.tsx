/** @jsxImportSource hono/jsx */
import type { PageContext } from "@/components/pay/page-context";
import { Address } from "@/components/pay/parts/address";
import { CopyField } from "@/components/pay/parts/copy-field";
import { Rich } from "@/components/pay/parts/rich";
import { Time } from "@/components/pay/parts/time";
import type { CheckoutView } from "@/lib/domain/checkout/view";

const PRICE_DECIMALS = 2;

/** Renders the amount and the address; both have a copy button. */
export function SendFields({ view, page }: { view: CheckoutView; page: PageContext }) {
  const { t, from } = page;
  const { remaining } = view.amounts;
  const label = from?.kind === "exchange" ? t.receivedLabel : t.amountLabel;
  const tail = view.isExact ? tailOf(remaining) : "";
  return (
    <>
      {view.subject && (
        <p class="hint">
          <bdi>{view.subject}</bdi>
        </p>
      )}
      <CopyField
        id="amount"
        label={view.hasArrived ? t.remainingLabel : label}
        value={remaining}
        button={t.copyAmount}
        done={t.amountCopied}
        t={t}
      >
        <span class={numberClass(remaining)}>
          {remaining.slice(0, remaining.length - tail.length)}
          {tail && <b class="tail">{tail}</b>}
        </span>{" "}
        <span class="unit">{view.currency}</span>
      </CopyField>
      {tail && from?.kind !== "exchange" && (
        <p class="hint">
          <Rich text={t.tailNote(tail)} />
        </p>
      )}
      {view.price && (
        <p class="hint">
          <bdi>
            {view.price.amount} ({view.price.rate})
          </bdi>{" "}
          · <Time at={view.price.at} t={t} isAge={true} />
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

/** Returns true if the amount has digits beyond the usual decimals, which the page explains beside it. */
export function hasTail({ isExact, amounts }: Pick<CheckoutView, "isExact" | "amounts">): boolean {
  return isExact && tailOf(amounts.remaining) !== "";
}

/** Returns the digits beyond the usual decimals. Payers tend to omit these digits, but on a shared address they identify the payment. */
function tailOf(amount: string): string {
  const [, fraction = ""] = amount.split(".");
  return fraction.slice(PRICE_DECIMALS);
}

/** Returns the class of an amount's number. Longer amounts are set smaller, so that they fit on one line of a small phone. */
function numberClass(amount: string): string {
  if (amount.length > 12) return "number longer";
  return amount.length > 8 ? "number long" : "number";
}
