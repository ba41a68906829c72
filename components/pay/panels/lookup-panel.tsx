/** @jsxImportSource hono/jsx */
import type { Messages } from "@/components/pay/messages/en";
import type { PageContext } from "@/components/pay/page-context";
import { Rich } from "@/components/pay/parts/rich";
import { type LookupView, MAX_TYPED } from "@/lib/domain/checkout/lookup-view";
import type { CheckoutView } from "@/lib/domain/checkout/view";

/**
 * Renders the "I have paid" section: the result for a transaction that the payer entered, and the form to enter one. Its URLs lead to the
 * section itself, because on a phone it is far below the amount to pay.
 */
export function LookupPanel({ view, page }: { view: CheckoutView; page: PageContext }) {
  if (!view.mayLookUp) return null;
  const { t, isAsking = false } = page;
  if (view.state === "otherAmount") return <NotMine view={view} t={t} />;
  return (
    <div class="lookup" id="lookup">
      {view.lookup && (
        <p class="found" role="status">
          <Rich text={lookupText(view.lookup, view.merchantName, t)} />
        </p>
      )}
      {isAsking ? (
        <LookupForm view={view} page={page} />
      ) : (
        <p class="aside">
          <a id="paid" href={`/pay/${view.tradeId}?paid=1&lang=${t.lang}#lookup`}>
            {t.paidLink}
          </a>
        </p>
      )}
    </div>
  );
}

/** Renders the button with which a payer returns to the payment details after entering another person's transaction. */
function NotMine({ view, t }: { view: CheckoutView; t: Messages }) {
  return (
    <form class="aside" method="post" action={`/pay/${view.tradeId}?lang=${t.lang}`}>
      <button class="plain" id="not-mine" type="submit" name="withdraw" value="1">
        {t.notMine}
      </button>
    </form>
  );
}

function LookupForm({ view, page }: { view: CheckoutView; page: PageContext }) {
  const { t, lookupProblem: problem, typed } = page;
  const networks = [...new Set([view.network.title, ...view.otherOffers.map(({ network }) => network)])].join(", ");
  return (
    <form class="asking" method="post" action={`/pay/${view.tradeId}?paid=1&lang=${t.lang}#lookup`}>
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
