/** @jsxImportSource hono/jsx */
import type { Child } from "hono/jsx";
import type { PageContext } from "@/components/pay/page-context";
import { Facts } from "@/components/pay/panels/facts";
import { LookupLink, LookupPanel } from "@/components/pay/panels/lookup-panel";
import { Notes, Warnings } from "@/components/pay/panels/notes";
import { QrPanel } from "@/components/pay/panels/qr-panel";
import { ReturnActions } from "@/components/pay/panels/return-actions";
import { SendFields } from "@/components/pay/panels/send-fields";
import { Icon, type IconName } from "@/components/pay/parts/icon";
import { Rich } from "@/components/pay/parts/rich";
import { PayBefore } from "@/components/pay/parts/time";
import { wording } from "@/components/pay/wording";
import type { PageView } from "@/lib/domain/checkout/refresh";
import type { CheckoutView } from "@/lib/domain/checkout/view";

/**
 * Renders the outcome when the payer must not send anything: the order is paid, expired or cancelled, or a transaction is being looked up.
 */
export function OutcomePanel({ view, page }: { view: CheckoutView; page: PageContext }) {
  return (
    <Outcome view={view} page={page}>
      <LookupLink view={view} page={page} />
      <LookupPanel view={view} page={page} />
      {view.status === "paid" && <ReturnActions view={view} page={page} />}
      <Facts view={view} page={page} />
      {view.state === "elsewhere" && view.isPaymentAccepted && <PayAgain view={view} page={page} />}
    </Outcome>
  );
}

/** Renders the outcome with the next step, followed by the children. */
export function Outcome({ view, page, children }: { view: PageView; page: PageContext; children: Child }) {
  const { title, lead, next } = wording(view, page);
  return (
    <div class="outcome">
      <p class="sign" aria-hidden="true">
        <Icon name={iconOf(view.state)} />
      </p>
      <h1>{title}</h1>
      <p class="lead">
        <Rich text={lead} />
      </p>
      {next.map((text) => (
        <p key={text} class="next">
          <Rich text={text} />
        </p>
      ))}
      {children}
    </div>
  );
}

/** Renders the details for paying again in a collapsed section, so that they are not used by mistake. */
function PayAgain({ view, page }: { view: CheckoutView; page: PageContext }) {
  const { t } = page;
  return (
    <details class="contract again" id="again">
      <summary>{t.elsewherePay}</summary>
      <p>{t.elsewherePayNote(view.merchantName)}</p>
      <p>
        <PayBefore at={view.expiresAt} t={t} />
      </p>
      <SendFields view={view} page={page} />
      <Warnings view={view} page={page} />
      <QrPanel view={view} page={page} />
      <Notes view={view} t={t} />
    </details>
  );
}

function iconOf(state: PageView["state"]): IconName {
  switch (state) {
    case "paid":
    case "overpaid":
      return "check";
    case "cancelled":
      return "cross";
    default:
      return "clock";
  }
}
