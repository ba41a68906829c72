/** @jsxImportSource hono/jsx */
import type { Messages } from "@/components/pay/messages/en";
import type { PageContext } from "@/components/pay/page-context";
import { Rich } from "@/components/pay/parts/rich";
import type { LookupView } from "@/lib/domain/checkout/lookup-view";
import type { CheckoutView } from "@/lib/domain/checkout/view";

/** "I have paid": what became of a transaction that the payer names, and the form to name one. */
export function LookupPanel({ view, page }: { view: CheckoutView; page: PageContext }) {
  if (!view.mayLookUp) return null;
  const { t, isAsking = false } = page;
  return (
    <div class="lookup">
      {view.lookup && (
        <p class="found" role="status">
          <Rich text={lookupText(view.lookup, view.merchantName, t)} />
        </p>
      )}
      {isAsking ? (
        <LookupForm view={view} page={page} />
      ) : (
        <p class="aside">
          <a id="paid" href={`/pay/${view.tradeId}?paid=1`}>
            {t.paidLink}
          </a>
        </p>
      )}
    </div>
  );
}

function LookupForm({ view, page }: { view: CheckoutView; page: PageContext }) {
  const { t, lookupProblem: problem } = page;
  const networks = [...new Set([view.network.title, ...view.otherOffers.map(({ network }) => network)])].join(", ");
  return (
    <form class="asking" method="post" action={`/pay/${view.tradeId}`}>
      {problem && (
        <p class="problem" role="alert">
          {problem === "txid" ? t.paidProblem.txid(networks) : t.paidProblem.asked}
        </p>
      )}
      <label for="tx">{t.paidLabel}</label>
      <input
        id="tx"
        name="tx"
        type="text"
        required
        maxlength={300}
        autocomplete="off"
        spellcheck={false}
        aria-describedby="tx-hint"
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

/** What a lookup says, in words. */
function lookupText({ txId: id, network, answer }: LookupView, merchant: string, t: Messages): string {
  const say = t.lookup;
  if (answer === null) return say.asking(id, network);
  switch (answer.kind) {
    case "silent":
      return say.silent(network);
    case "absent":
      return say.absent(id, network);
    case "failed":
      return say.failed(id);
    case "nothing":
      return say.nothing(id);
    case "early":
      return say.early(id);
    case "otherOrder":
      return say.otherOrder(id);
    case "kept":
      return say.kept(id, merchant);
    case "found":
      return say.found(id);
    case "wrongToken":
      return say.wrongToken(id, answer.name ?? say.unknownToken);
    case "wrongNetwork":
      return say.wrongNetwork(id, answer.network);
    case "amount": {
      const [arrived, due] = [`${answer.arrived} ${answer.currency}`, `${answer.due} ${answer.currency}`];
      return answer.isShort ? say.short(id, arrived, due) : say.over(id, arrived, due);
    }
  }
}
