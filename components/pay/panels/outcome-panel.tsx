/** @jsxImportSource hono/jsx */
import type { PageContext } from "@/components/pay/page-context";
import { Facts } from "@/components/pay/panels/facts";
import { ReturnActions } from "@/components/pay/panels/return-actions";
import { Icon, type IconName } from "@/components/pay/parts/icon";
import { Rich } from "@/components/pay/parts/rich";
import { wording } from "@/components/pay/wording";
import type { CheckoutState } from "@/lib/domain/checkout-state";
import type { CheckoutView } from "@/lib/domain/checkout-view";

/** Nothing is to be sent (any more): paid, too late, cancelled, or being looked up. */
export function OutcomePanel({ view, page }: { view: CheckoutView; page: PageContext }) {
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
      {view.status === "paid" && <ReturnActions view={view} page={page} />}
      <Facts view={view} t={page.t} />
    </div>
  );
}

function iconOf(state: CheckoutState): IconName {
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
