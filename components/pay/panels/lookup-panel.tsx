/** @jsxImportSource hono/jsx */
import { pageHref } from "@/components/pay/href";
import type { Messages } from "@/components/pay/messages/en";
import type { PageContext } from "@/components/pay/page-context";
import { Rich } from "@/components/pay/parts/rich";
import { contactStep } from "@/components/pay/wording";
import { type LookupView, MAX_TYPED } from "@/lib/domain/checkout/lookup-view";
import type { CheckoutView } from "@/lib/domain/checkout/view";

/**
 * Renders the "I have paid" section: the result for a transaction that the payer entered, and the form to enter one. Its URLs lead to the
 * section itself, because on a phone it is far below the amount to pay.
 */
export function LookupPanel({ view, page }: { view: CheckoutView; page: PageContext }) {
  if (!view.mayLookUp) return null;
  const { t, isAsking = false } = page;
  if (view.state === "otherAmount") return <NotMine view={view} page={page} />;
  if (!view.lookup && !isAsking) return null;
  return (
    <div class="lookup" id="lookup">
      {view.lookup && (
        <p class="found" role="status">
          <Rich text={[lookupText(view.lookup, view.merchantName, t), ...lookupContact(view, t)].join(" ")} />
        </p>
      )}
      {isAsking && <LookupForm view={view} page={page} />}
    </div>
  );
}

/** Renders the link to the form in which the payer enters a transaction, unless the form is shown or the page shows its result. */
export function LookupLink({ view, page }: { view: CheckoutView; page: PageContext }) {
  if (!view.mayLookUp || view.state === "otherAmount" || page.isAsking) return null;
  return (
    <a id="paid" href={`${pageHref(view.tradeId, page, { paid: "1" })}#lookup`}>
      {page.t.paidLink}
    </a>
  );
}

/** Renders the button with which a payer returns to the payment details after entering another person's transaction. */
function NotMine({ view, page }: { view: CheckoutView; page: PageContext }) {
  return (
    <form class="aside" method="post" action={pageHref(view.tradeId, page)}>
      <button class="plain" id="not-mine" type="submit" name="withdraw" value="1">
        {page.t.notMine}
      </button>
    </form>
  );
}

function LookupForm({ view, page }: { view: CheckoutView; page: PageContext }) {
  const { t, lookupProblem: problem, typed } = page;
  const networks = [...new Set([view.network.title, ...view.otherOffers.map(({ network }) => network)])].join(", ");
  return (
    <form class="asking" method="post" action={`${pageHref(view.tradeId, page, { paid: "1" })}#lookup`}>
      {problem && (
        <p class="problem" id="tx-problem" role="alert">
          {problem === "txid" ? t.paidNoId(networks) : t.paidOften}
        </p>
      )}
      <label for="tx">{t.paidLabel}</label>
      <input
        id="tx"
        name="tx"
        type="text"
        required
        maxlength={MAX_TYPED}
        value={typed}
        aria-invalid={problem === "txid" ? "true" : undefined}
        autocomplete="off"
        spellcheck={false}
        aria-describedby={problem ? "tx-problem tx-hint" : "tx-hint"}
      />
      <p class="hint" id="tx-hint">
        {t.paidHint(networks)}
      </p>
      <button class="button" type="submit">
        {t.paidLook}
      </button>
    </form>
  );
}

/** Returns the offer to answer questions about a result that the merchant has to decide about. */
function lookupContact(view: CheckoutView, t: Messages): string[] {
  const kind = view.lookup?.answer?.kind;
  return kind === "kept" || kind === "amount" ? contactStep(view, t) : [];
}

/** Returns the text of a lookup's result. */
function lookupText({ txId: id, network, answer }: LookupView, merchant: string, t: Messages): string {
  if (answer === null) return t.lookupAsking(id, network);
  switch (answer.kind) {
    case "silent":
      return t.lookupSilent(network);
    case "absent":
      return t.lookupAbsent(id, network);
    case "failed":
      return t.lookupFailed(id);
    case "nothing":
      return t.lookupNothing(id);
    case "early":
      return t.lookupEarly(id);
    case "otherOrder":
      return t.lookupOtherOrder(id);
    case "kept":
      return t.lookupKept(id, merchant);
    case "found":
      return t.lookupFound(id);
    case "counted":
      return t.lookupCounted(id);
    case "wrongToken":
      return t.lookupWrongToken(id, answer.name ?? t.lookupUnknownToken);
    case "wrongNetwork":
      return t.lookupWrongNetwork(id, answer.network);
    case "amount": {
      const arrived = `${answer.arrived} ${answer.currency}`;
      const due = `${answer.due} ${answer.currency}`;
      return answer.isShort ? t.lookupShort(id, arrived, due) : t.lookupOver(id, arrived, due);
    }
  }
}
