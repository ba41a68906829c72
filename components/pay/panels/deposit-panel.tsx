/** @jsxImportSource hono/jsx */
import type { Messages } from "@/components/pay/messages/en";
import { SLOT } from "@/components/pay/messages/isolation";
import type { PageContext } from "@/components/pay/page-context";
import { Contract, TokenNotes } from "@/components/pay/panels/notes";
import { Confirmations } from "@/components/pay/panels/progress-panel";
import { Sandbox } from "@/components/pay/panels/sandbox";
import { Address } from "@/components/pay/parts/address";
import { CopyField } from "@/components/pay/parts/copy-field";
import { Icon } from "@/components/pay/parts/icon";
import { ExplorerLink } from "@/components/pay/parts/link";
import { NetworkBadge } from "@/components/pay/parts/network-badge";
import { QrCode } from "@/components/pay/parts/qr-code";
import { Filled, plain, Rich } from "@/components/pay/parts/rich";
import { Time } from "@/components/pay/parts/time";
import {
  type ArrivedView,
  DEPOSITS_SHOWN,
  type DepositView,
  depositRefreshMs,
} from "@/lib/domain/deposits/deposit-view";

/** Returns the title and the first sentence of a deposit address page. */
export function depositWording({ state, tokens, network, merchantName }: DepositView, t: Messages) {
  switch (state) {
    case "open":
      return { title: t.waitingTitle(currenciesOf(tokens, t), network.title), lead: t.depositLead(merchantName) };
    case "closed":
      return { title: t.depositClosedTitle, lead: t.depositClosedLead(merchantName) };
    case "broken":
      return { title: t.depositBrokenTitle, lead: t.depositBrokenLead(merchantName) };
  }
}

/**
 * Renders the part of the page that follows incoming transfers to a deposit address. As on an order's page, the script reads its data
 * attributes.
 */
export function DepositMain({ view, tag, page }: { view: DepositView; tag: string; page: PageContext }) {
  const { t } = page;
  const { title, lead } = depositWording(view, t);
  const [latest] = view.arrived;
  const events = latest ? `${latest.amount} ${latest.currency}: ${stateText(latest, t)}` : `${title}. ${plain(lead)}`;
  return (
    <main
      id="pay"
      class="card"
      data-testid="deposit"
      data-state={view.state}
      data-view={view.state}
      data-version={view.version}
      data-tag={tag}
      data-refresh={depositRefreshMs(view)}
      data-title={t.pageTitle(title, view.merchantName)}
      data-say={events}
    >
      {view.isDelayed && (
        <p class="delayed">
          <Rich text={t.delayed(view.network.name)} />
        </p>
      )}
      {view.address !== null && view.payload !== null ? (
        <Open view={view} address={view.address} payload={view.payload} page={page} />
      ) : (
        <Unused view={view} page={page} />
      )}
    </main>
  );
}

interface OpenProps {
  view: DepositView;
  address: string;
  payload: string;
  page: PageContext;
}

function Open({ view, address, payload, page }: OpenProps) {
  const { t } = page;
  const { network, tokens } = view;
  const currencies = currenciesOf(tokens, t);
  return (
    <div class="pay">
      <div class="bar">
        <p class="status">
          <span class="pulse" />
          {t.depositStatus}
        </p>
      </div>
      <div class="send">
        <h1>
          <Filled text={t.waitingTitle(currencies, SLOT)}>
            <NetworkBadge network={network} />
          </Filled>
        </h1>
        <p class="lead">
          <Rich text={t.depositLead(view.merchantName)} />
        </p>
        <CopyField
          id="address"
          label={t.addressLabel}
          value={address}
          button={t.copyAddress}
          done={t.addressCopied}
          t={t}
        >
          <Address text={address} />
        </CopyField>
        <p class="warning">
          <Rich text={t.depositOnly(currencies, network.title)} />
        </p>
      </div>
      <div class="qr">
        <div class="mode mode-address">
          <QrCode payload={payload} label={t.qrAddressAlt(address)} />
          <p>{t.qrAddressCaption}</p>
        </div>
      </div>
      <Details view={view} page={page} />
    </div>
  );
}

/** Renders the received transfers, notes on the tokens, and the tokens' contracts. */
function Details({ view, page }: Pick<OpenProps, "view" | "page">) {
  const { t } = page;
  const { network, tokens, explorerName } = view;
  return (
    <div class="fine">
      <Arrived view={view} page={page} />
      {tokens.some(({ alsoShownAs, lookAlikes }) => alsoShownAs !== null || lookAlikes.length > 0) && (
        <ul class="notes">
          {tokens.map((token) => (
            <TokenNotes key={token.contract} currency={token.currency} token={token} t={t} />
          ))}
        </ul>
      )}
      {tokens.map((token) => (
        <Contract
          key={token.contract}
          id={`contract-${token.currency}`}
          view={{ currency: token.currency, explorerName, network, token }}
          page={page}
        />
      ))}
      {page.isSandbox && <Sandbox target={`deposit/${view.id}`} t={t} />}
    </div>
  );
}

/** Renders the reason why payers must not send anything to the address, and the transfers that it received before. */
function Unused({ view, page }: { view: DepositView; page: PageContext }) {
  const { title, lead } = depositWording(view, page.t);
  return (
    <div class="outcome">
      <div class="sign">
        <Icon name="alert" />
      </div>
      <h1>{title}</h1>
      <p class="lead">
        <Rich text={lead} />
      </p>
      {view.arrived.length > 0 && <Arrived view={view} page={page} />}
    </div>
  );
}

/** Renders the received transfers, newest first. */
function Arrived({ view, page }: { view: DepositView; page: PageContext }) {
  const { t } = page;
  return (
    <section class="arrived" aria-labelledby="arrived">
      <h2 id="arrived">{t.depositArrived}</h2>
      {view.arrived.length === 0 ? (
        <p class="hint">{t.depositNothing}</p>
      ) : (
        <ul data-testid="arrived">
          {view.arrived.map((one, index) => (
            <Transfer key={one.txId} one={one} index={index} view={view} page={page} />
          ))}
        </ul>
      )}
      {view.hasOlder && <p class="hint">{t.depositLatest(String(DEPOSITS_SHOWN))}</p>}
    </section>
  );
}

interface TransferProps {
  one: ArrivedView;
  index: number;
  view: DepositView;
  page: PageContext;
}

function Transfer({ one, index, view, page }: TransferProps) {
  const { t } = page;
  return (
    <li class={one.state} data-state={one.state}>
      <p class="money">
        <bdi>
          <b>{one.amount}</b> {one.currency}
        </bdi>
        <span>
          {one.state === "confirmed" && <Icon name="check" />}
          {stateText(one, t)}
        </span>
      </p>
      {(one.state === "seen" || one.state === "confirming") && (
        <Confirmations progress={one} t={t} id={`confirmations-${index}`} />
      )}
      <p class="hint">
        <Time at={one.seenAt} t={t} />
        {one.network.id !== view.network.id && <bdi> · {one.network.title}</bdi>}
      </p>
      <p>
        <Address text={one.txId} /> <ExplorerLink url={one.url} explorer={one.explorerName} page={page} />
      </p>
    </li>
  );
}

function stateText({ state }: ArrivedView, t: Messages): string {
  const texts = {
    seen: t.stepSeen,
    confirming: t.stepConfirming,
    confirmed: t.depositConfirmed,
    reversed: t.depositReversed,
  };
  return texts[state];
}

/** Returns the currencies of the tokens as a list in the page's language, such as "USDT or USDC". */
function currenciesOf(tokens: DepositView["tokens"], { lang }: Messages): string {
  const names = tokens.map(({ currency }) => currency);
  return new Intl.ListFormat(lang, { type: "disjunction" }).format(names);
}
