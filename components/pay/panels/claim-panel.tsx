/** @jsxImportSource hono/jsx */
import type { Messages } from "@/components/pay/messages/en";
import type { PageContext } from "@/components/pay/page-context";
import { Fact, FactList, Reference } from "@/components/pay/panels/facts";
import { Confirmations } from "@/components/pay/panels/progress-panel";
import { Address } from "@/components/pay/parts/address";
import { Icon, type IconName } from "@/components/pay/parts/icon";
import { ExplorerLink } from "@/components/pay/parts/link";
import { NetworkBadge } from "@/components/pay/parts/network-badge";
import { plain, Rich } from "@/components/pay/parts/rich";
import { Time } from "@/components/pay/parts/time";
import { contactStep } from "@/components/pay/wording";
import { CONFIRMED_CHARACTERS } from "@/lib/domain/refunds/claim";
import {
  type ClaimProblem,
  type ClaimView,
  claimRefreshMs,
  MAX_CLAIM_TEXT,
  type RefusedClaim,
} from "@/lib/domain/refunds/claim-view";

/** The data of a claim page besides the refund: the customer's earlier input, if it was refused. */
export type ClaimContext = PageContext & { refused: RefusedClaim | null };

/** Returns the title and the first sentence of a claim page. */
export function claimWording(view: ClaimView, t: Messages) {
  const { state, merchantName, amount, network } = view;
  const on = network?.title ?? "";
  switch (state) {
    case "requested":
      return { title: t.refundTitle, lead: t.refundLead(merchantName, amount) };
    case "claimed":
      return { title: t.refundClaimedTitle, lead: t.refundClaimedLead(merchantName) };
    case "approved":
      return { title: t.refundApprovedTitle, lead: t.refundApprovedLead(merchantName, amount, on) };
    case "sent":
      return { title: t.refundSentTitle, lead: t.refundSentLead(amount, on) };
    case "completed":
      return { title: t.refundCompletedTitle, lead: t.refundCompletedLead(amount, on) };
    case "cancelled":
      return {
        title: t.refundCancelledTitle,
        lead: [t.refundCancelledLead(merchantName), ...contactStep(view, t)].join(" "),
      };
    case "expired":
      return { title: t.refundExpiredTitle, lead: t.refundExpiredLead(merchantName) };
  }
}

interface ClaimProps {
  view: ClaimView;
  page: ClaimContext;
}

/** Renders the part of a claim page that follows the refund. As on an order's page, the script reads its data attributes. */
export function ClaimMain({ view, tag, page }: ClaimProps & { tag: string }) {
  const { t } = page;
  const { title, lead } = claimWording(view, t);
  return (
    <main
      id="pay"
      class="card"
      data-testid="claim"
      data-state={view.state}
      data-view={view.state}
      data-version={view.version}
      data-tag={tag}
      data-refresh={claimRefreshMs(view)}
      data-title={t.pageTitle(title, view.merchantName)}
      data-say={`${title}. ${plain(lead)}`}
    >
      {view.state === "requested" ? <ClaimForm view={view} page={page} /> : <ClaimState view={view} page={page} />}
    </main>
  );
}

function ClaimForm({ view, page }: ClaimProps) {
  const { t, refused } = page;
  const { title, lead } = claimWording(view, t);
  return (
    <form class="choice claim" method="post" action={`/refund/${view.id}?lang=${t.lang}`}>
      <div class="bar">
        <p class="status">
          <span class="pulse" />
          {t.refundStatus}
        </p>
      </div>
      <h1>{title}</h1>
      <p class="lead">
        <Rich text={lead} />
      </p>
      {view.message !== null && (
        <p class="problem">
          <Rich text={t.refundReopened(view.merchantName)} /> <bdi>{view.message}</bdi>
        </p>
      )}
      {(refused?.problem === "often" || refused?.problem === "used") && (
        <p class="problem" role="alert">
          {problemText(refused, t)}
        </p>
      )}
      <Networks view={view} page={page} />
      <Inputs view={view} page={page} />
      <button class="button" type="submit">
        {t.refundSubmit}
      </button>
      <ClaimFacts view={view} page={page} />
    </form>
  );
}

function Inputs({ view, page }: ClaimProps) {
  const { t, refused } = page;
  return (
    <>
      <TextInput
        id="claim-address"
        name="address"
        label={t.refundAddress}
        hint={t.refundAddressHint}
        page={page}
        of={["address", "token", "shop"]}
        value={refused?.address}
        isCode
      />
      <p class="hint">
        <Rich text={t.refundExchange(view.currency)} />
      </p>
      <TextInput
        id="claim-end"
        name="confirmation"
        label={t.refundConfirm(CONFIRMED_CHARACTERS)}
        hint={t.refundConfirmHint}
        page={page}
        of={["confirmation"]}
        length={CONFIRMED_CHARACTERS}
        isCode
      />
      {view.check === "order_number" && (
        <TextInput
          id="claim-check"
          name="check"
          label={t.refundOrderNumber}
          hint={t.refundOrderNumberHint(view.merchantName)}
          page={page}
          of={["number"]}
          value={refused?.check}
        />
      )}
      {view.check === "email" && (
        <TextInput
          id="claim-check"
          name="check"
          type="email"
          label={t.refundEmail}
          hint={t.refundEmailHint(view.merchantName)}
          page={page}
          of={["email"]}
          value={refused?.check}
        />
      )}
    </>
  );
}

function Networks({ view, page }: ClaimProps) {
  const { t, refused } = page;
  const chosen = refused?.network || (view.networks.length === 1 ? view.networks[0]?.id : "");
  return (
    <fieldset class="options">
      <legend>{t.refundNetwork}</legend>
      {refused?.problem === "network" && (
        <p class="problem" role="alert">
          {problemText(refused, t)}
        </p>
      )}
      {view.networks.map((network) => (
        <label key={network.id} class="option">
          <input
            type="radio"
            name="network"
            id={`network-${network.id}`}
            value={network.id}
            checked={network.id === chosen}
            required
          />
          <span>
            <NetworkBadge network={network} />
            {network.isPaidOn && <small>{t.refundPaidOn}</small>}
          </span>
        </label>
      ))}
    </fieldset>
  );
}

interface TextInputProps {
  id: string;
  name: string;
  label: string;
  hint: string;
  page: ClaimContext;
  /** The problems that are shown at this field. */
  of: readonly ClaimProblem[];
  value?: string | undefined;
  type?: "text" | "email";
  /** The exact number of characters; absent for any. */
  length?: number;
  /** True for a value that is not prose, such as an address. */
  isCode?: boolean;
}

function TextInput({ id, name, label, hint, page, of, value, type = "text", length, isCode = false }: TextInputProps) {
  const { t, refused } = page;
  const problem = refused && of.includes(refused.problem) ? problemText(refused, t) : null;
  return (
    <div class="asking">
      {problem && (
        <p class="problem" id={`${id}-problem`} role="alert">
          {problem}
        </p>
      )}
      <label for={id}>{label}</label>
      <input
        id={id}
        name={name}
        type={type}
        required
        value={value}
        minlength={length}
        maxlength={length ?? MAX_CLAIM_TEXT}
        class={isCode ? "mono" : undefined}
        dir={isCode || type === "email" ? "ltr" : "auto"}
        translate={isCode ? "no" : undefined}
        aria-invalid={problem ? "true" : undefined}
        aria-describedby={problem ? `${id}-problem ${id}-hint` : `${id}-hint`}
        autocomplete={type === "email" ? "email" : "off"}
        autocapitalize="off"
        spellcheck={false}
      />
      <p class="hint" id={`${id}-hint`}>
        {hint}
      </p>
    </div>
  );
}

function problemText({ problem, networkTitle }: RefusedClaim, t: Messages): string {
  return problem === "address" ? t.refundProblem.address(networkTitle) : t.refundProblem[problem];
}

const ICONS: Readonly<Record<ClaimView["state"], IconName>> = {
  requested: "clock",
  claimed: "clock",
  approved: "clock",
  sent: "clock",
  completed: "check",
  cancelled: "cross",
  expired: "clock",
};

/** The class names that colour the sign of an outcome, as on an order's page. */
const OUTCOMES: Partial<Record<ClaimView["state"], string>> = { completed: "paid", cancelled: "cancelled" };

/** Renders the status of a claimed or ended refund. */
function ClaimState({ view, page }: ClaimProps) {
  const { t } = page;
  const { title, lead } = claimWording(view, t);
  return (
    <div class={`outcome ${OUTCOMES[view.state] ?? ""}`}>
      {view.state === "sent" ? (
        <div class="spinner" aria-hidden="true" />
      ) : (
        <p class="sign" aria-hidden="true">
          <Icon name={ICONS[view.state]} />
        </p>
      )}
      <h1>{title}</h1>
      <p class="lead">
        <Rich text={lead} />
      </p>
      {view.state === "cancelled" && view.message !== null && (
        <p class="next">
          {t.refundMessage(view.merchantName)}: <bdi>{view.message}</bdi>
        </p>
      )}
      {view.state === "sent" && view.transfer && (
        <Confirmations progress={view.transfer.progress} t={t} id="confirmations" />
      )}
      <ClaimFacts view={view} page={page} />
    </div>
  );
}

function ClaimFacts({ view, page }: ClaimProps) {
  const { t } = page;
  return (
    <FactList t={t}>
      <Fact name={t.merchant}>{view.merchantName}</Fact>
      <Fact name={t.amountLabel}>{view.amount}</Fact>
      {view.price && <Fact name={t.price}>{view.price}</Fact>}
      {view.reason && <Fact name={t.refundReason}>{view.reason}</Fact>}
      {view.network && <Fact name={t.network}>{view.network.title}</Fact>}
      {view.address && (
        <Fact name={t.address}>
          <Address text={view.address} />
        </Fact>
      )}
      {view.transfer && (
        <Fact name={t.transaction}>
          <Address text={view.transfer.txId} />
          <ExplorerLink url={view.transfer.url} explorer={view.transfer.explorerName} page={page} />
        </Fact>
      )}
      {view.state === "requested" && (
        <Fact name={t.refundExpires}>
          <Time at={view.expiresAt} t={t} />
        </Fact>
      )}
      <Reference tradeId={view.id} t={t} />
    </FactList>
  );
}
