/** @jsxImportSource hono/jsx */
import type { Messages } from "@/components/pay/messages/en";
import type { PageContext } from "@/components/pay/page-context";
import { Rich } from "@/components/pay/parts/rich";
import { Time } from "@/components/pay/parts/time";
import { askedText } from "@/components/pay/wording";
import { MAX_NOTE } from "@/lib/domain/links/link";
import type { LinkPageState, LinkProblem, LinkView, RefusedPayment } from "@/lib/domain/links/link-view";

/** The data of the page of a payment link besides the link itself. */
export type LinkContext = PageContext & {
  /** The key of the form, which makes its submission repeatable. */
  formKey: string;
  /** The payer's earlier input, if it was refused. */
  refused: RefusedPayment | null;
};

/** Returns the title and the first sentence of the page of a payment link. */
export function linkWording({ state, merchantName }: LinkView, t: Messages): { title: string; lead: string | null } {
  const wordings: Record<LinkPageState, { title: string; lead: string | null }> = {
    open: { title: t.linkTitle(merchantName), lead: null },
    away: { title: t.closedTitle, lead: t.linkAwayLead },
    usedUp: { title: t.linkUsedTitle, lead: t.linkUsedLead(merchantName) },
    ended: { title: t.linkEndedTitle, lead: t.linkEndedLead(merchantName) },
  };
  return wordings[state];
}

interface LinkProps {
  view: LinkView;
  page: LinkContext;
}

/** Renders the page of a payment link: the form that creates an order, or the reason why there is none. */
export function LinkMain({ view, page }: LinkProps) {
  return (
    <main id="pay" class="card" data-testid="link" data-state={view.state} data-view={view.state}>
      {view.state === "open" ? <LinkForm view={view} page={page} /> : <LinkEnd view={view} page={page} />}
    </main>
  );
}

function LinkForm({ view, page }: LinkProps) {
  const { t, refused, formKey } = page;
  const isAtField = refused !== null && isOfAmount(refused.problem) && view.amount === null;
  return (
    <form class="choice" method="post" action={`/link/${view.id}?lang=${t.lang}`}>
      <input type="hidden" name="key" value={formKey} />
      <h1>{linkWording(view, t).title}</h1>
      {refused && !isAtField && refused.problem.kind !== "note" && (
        <p class="problem" role="alert">
          {problemText(refused.problem, t)}
        </p>
      )}
      {view.subject && (
        <p class="lead">
          <bdi>{view.subject}</bdi>
        </p>
      )}
      {view.amount === null ? <AmountField view={view} page={page} /> : <FixedAmount view={view} t={t} />}
      {view.noteLabel !== null && <NoteField label={view.noteLabel} page={page} />}
      <button class="button" type="submit">
        {t.linkSubmit}
      </button>
      {view.openOrderId && <OpenOrder orderId={view.openOrderId} t={t} />}
      {view.expiresAt !== null && (
        <p class="hint">
          {t.refundExpires}: <Time at={view.expiresAt} t={t} />
        </p>
      )}
    </form>
  );
}

function FixedAmount({ view, t }: { view: LinkView; t: Messages }) {
  return (
    <div class="field field-amount">
      <span class="label">{t.amountLabel}</span>
      <span class="value">
        <bdi class="number">{askedText(view.amount ?? "", t)}</bdi>
      </span>
    </div>
  );
}

function AmountField({ view, page }: LinkProps) {
  const { t, refused } = page;
  const problem = refused && isOfAmount(refused.problem) ? problemText(refused.problem, t) : null;
  const bounds = boundsText(view, t);
  const described = [problem && "link-amount-problem", bounds && "link-amount-hint"].filter(Boolean).join(" ");
  return (
    <div class="asking">
      {problem && (
        <p class="problem" id="link-amount-problem" role="alert">
          {problem}
        </p>
      )}
      <label for="link-amount">
        {t.amountLabel} (<bdi>{askedText(view.unit, t)}</bdi>)
      </label>
      <input
        id="link-amount"
        name="amount"
        type="text"
        inputmode="decimal"
        required
        value={refused?.amount}
        maxlength={40}
        dir="ltr"
        autocomplete="off"
        aria-invalid={problem ? "true" : undefined}
        aria-describedby={described === "" ? undefined : described}
      />
      {bounds && (
        <p class="hint" id="link-amount-hint">
          {bounds}
        </p>
      )}
    </div>
  );
}

function NoteField({ label, page }: { label: string; page: LinkContext }) {
  const { t, refused } = page;
  const problem = refused?.problem.kind === "note" ? problemText(refused.problem, t) : null;
  return (
    <div class="asking">
      {problem && (
        <p class="problem" id="link-note-problem" role="alert">
          {problem}
        </p>
      )}
      <label for="link-note">
        <bdi>{label}</bdi> <span class="hint">({t.linkOptional})</span>
      </label>
      <input
        id="link-note"
        name="note"
        type="text"
        value={refused?.note}
        maxlength={MAX_NOTE}
        dir="auto"
        autocomplete="off"
        aria-invalid={problem ? "true" : undefined}
        aria-describedby={problem ? "link-note-problem" : undefined}
      />
    </div>
  );
}

function LinkEnd({ view, page }: LinkProps) {
  const { t } = page;
  const { title, lead } = linkWording(view, t);
  return (
    <div class="outcome">
      <h1>{title}</h1>
      {lead !== null && (
        <p class="lead">
          <Rich text={lead} />
        </p>
      )}
      {view.openOrderId && <OpenOrder orderId={view.openOrderId} t={t} />}
    </div>
  );
}

/** Renders the link to the order that this browser started and that can still be paid. */
function OpenOrder({ orderId, t }: { orderId: string; t: Messages }) {
  return (
    <p class="aside">
      <a href={`/pay/${orderId}?lang=${t.lang}`}>{t.linkContinue}</a>
    </p>
  );
}

function isOfAmount({ kind }: LinkProblem): boolean {
  return kind === "amount" || kind === "tooLittle" || kind === "tooMuch";
}

function boundsText({ min, max }: LinkView, t: Messages): string | null {
  const from = min && askedText(min, t);
  const to = max && askedText(max, t);
  if (from && to) return t.linkBetween(from, to);
  if (from) return t.linkAtLeast(from);
  return to && t.linkAtMost(to);
}

function problemText(problem: LinkProblem, t: Messages): string {
  switch (problem.kind) {
    case "tooLittle":
      return t.linkAtLeast(askedText(problem.limit, t));
    case "tooMuch":
      return t.linkAtMost(askedText(problem.limit, t));
    default:
      return t.linkProblem[problem.kind];
  }
}
