/** @jsxImportSource hono/jsx */
import { SLOT } from "@/components/pay/messages/isolation";
import type { PageContext } from "@/components/pay/page-context";
import { Filled } from "@/components/pay/parts/rich";
import type { CheckoutView } from "@/lib/domain/checkout/view";

const RETURN_AFTER_SECONDS = 5;

/**
 * Renders the link back to the shop, and the receipt. The script returns to the shop after five seconds, unless the payer cancels the
 * return or the order was paid some time ago.
 */
export function ReturnActions({ view, page }: { view: CheckoutView; page: PageContext }) {
  const { t } = page;
  const { isJustPaid } = view;
  return (
    <div class="actions">
      {view.returnUrl !== null && (
        <a
          class="button"
          id="return"
          href={view.returnUrl}
          target={view.brand.frameParents.length > 0 ? "_top" : undefined}
          data-after={isJustPaid ? RETURN_AFTER_SECONDS : undefined}
          data-stayed={t.returnStayed}
        >
          {t.returnTo(view.merchantName)}
        </a>
      )}
      {view.returnUrl !== null && isJustPaid && (
        <p class="returning" id="returning" hidden>
          <Filled text={t.returning(SLOT)}>
            <span id="return-seconds">{RETURN_AFTER_SECONDS}</span>
          </Filled>{" "}
          <button type="button" class="plain" id="stay">
            {t.returnStay}
          </button>
        </p>
      )}
      <button type="button" class="quiet scripted" id="print">
        {t.printReceipt}
      </button>
    </div>
  );
}
