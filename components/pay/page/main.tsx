/** @jsxImportSource hono/jsx */
import type { PageContext } from "@/components/pay/page-context";
import { ChoicePanel } from "@/components/pay/panels/choice-panel";
import { OutcomePanel } from "@/components/pay/panels/outcome-panel";
import { PayPanel } from "@/components/pay/panels/pay-panel";
import { ProgressPanel } from "@/components/pay/panels/progress-panel";
import { plain, Rich } from "@/components/pay/parts/rich";
import { tokenText, wording } from "@/components/pay/wording";
import { type PageView, refreshMs } from "@/lib/domain/checkout/refresh";
import type { CheckoutView } from "@/lib/domain/checkout/view";

/**
 * Renders the part of the page that follows the order. Its data attributes contain everything that the script needs. `tag` identifies the
 * displayed state, like the ETag of the status.
 */
export function CheckoutMain({ view, tag, page }: { view: PageView; tag: string; page: PageContext }) {
  const { t } = page;
  const { title, lead } = wording(view, page);
  const isCounting = "options" in view ? view.state === "choosing" : view.isPaymentExpected;
  return (
    <main
      id="pay"
      class={`card ${view.state}`}
      data-testid="checkout"
      data-state={view.status}
      data-view={view.state}
      data-version={view.version}
      data-tag={tag}
      data-expires={isCounting ? view.expiresAt : undefined}
      data-hurry={isCounting ? view.hurryAt : undefined}
      data-refresh={refreshMs(view)}
      data-title={t.pageTitle(title, view.merchantName)}
      data-say={`${title}. ${plain(lead)}`}
    >
      {"options" in view ? <ChoicePanel view={view} page={page} /> : <Order view={view} page={page} />}
    </main>
  );
}

function Order({ view, page }: { view: CheckoutView; page: PageContext }) {
  const { t } = page;
  return (
    <>
      {view.isDelayed && (
        <p class="delayed">
          <Rich text={t.delayed(view.network.name)} />
        </p>
      )}
      {view.state !== "elsewhere" &&
        view.misdirected.map(({ txId, amount, tokenName, network }) => (
          <p key={txId} class="delayed">
            <Rich text={t.alsoArrived(`${amount} ${tokenText(tokenName, t)}`, network.title, view.merchantName)} />
          </p>
        ))}
      <Panel view={view} page={page} />
    </>
  );
}

function Panel({ view, page }: { view: CheckoutView; page: PageContext }) {
  switch (view.state) {
    case "waiting":
    case "underpaid":
      return <PayPanel view={view} page={page} />;
    case "seen":
    case "confirming":
    case "late":
      return <ProgressPanel view={view} page={page} />;
    case "partial":
    case "elsewhere":
    case "otherAmount":
    case "checking":
    case "paid":
    case "overpaid":
    case "expired":
    case "cancelled":
      return <OutcomePanel view={view} page={page} />;
  }
}
