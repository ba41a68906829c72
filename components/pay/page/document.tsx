/** @jsxImportSource hono/jsx */
import { html, raw } from "hono/html";
import { type Child, jsx } from "hono/jsx";
import { RETRY_SCRIPT, SCRIPT, STYLE, WALLET_INTEGRITY } from "@/components/pay/assets";
import type { Messages } from "@/components/pay/messages/en";
import { CheckoutMain } from "@/components/pay/page/main";
import type { PageContext } from "@/components/pay/page-context";
import { type ClaimContext, ClaimMain, claimWording } from "@/components/pay/panels/claim-panel";
import { DepositMain, depositWording } from "@/components/pay/panels/deposit-panel";
import { LanguageSwitch } from "@/components/pay/panels/language-switch";
import { type LinkContext, LinkMain, linkWording } from "@/components/pay/panels/link-panel";
import { networkStyle } from "@/components/pay/parts/network-badge";
import { Rich } from "@/components/pay/parts/rich";
import { contentPolicy } from "@/components/pay/policy";
import { wording } from "@/components/pay/wording";
import type { Brand } from "@/lib/domain/checkout/brand";
import { accentOf, type Shade } from "@/lib/domain/checkout/colour";
import { sourceName } from "@/lib/domain/checkout/exchanges";
import type { PageView } from "@/lib/domain/checkout/refresh";
import type { PayerRefusal } from "@/lib/domain/checkout/refusal";
import type { DepositView } from "@/lib/domain/deposits/deposit-view";
import type { LinkView } from "@/lib/domain/links/link-view";
import type { ClaimView } from "@/lib/domain/refunds/claim-view";

/** A whole document, and the policy that allows only its own style and script. */
export interface Page {
  html: string;
  policy: string;
}

const PAGE_STYLE = STYLE + networkStyle();
const STILL_POLICY = contentPolicy({ styles: [PAGE_STYLE], script: null });
const RETRY_POLICY = contentPolicy({ styles: [PAGE_STYLE], script: RETRY_SCRIPT });
const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect width='16' height='16' rx='4' fill='%230b7a4b'/%3E%3Cpath d='m4 8.5 3 3 5-6' fill='none' stroke='%23fff' stroke-width='2'/%3E%3C/svg%3E";
const RELOAD_SECONDS = 15;
const RETRY_SECONDS = 5;

/** Renders the payment page of an order. `tag` is its checkoutTag. */
export function checkoutPage(view: PageView, tag: string, page: PageContext): Page {
  // A reload would discard the payer's selection or input.
  const isChoosing = "options" in view && view.options.length > 0;
  return wholePage({
    view,
    page,
    title: wording(view, page).title,
    doing: doing(view, page),
    isReloaded: !(view.isFinal || isChoosing || page.isAsking),
    main: <CheckoutMain view={view} tag={tag} page={page} />,
    ending: page.t.footer(view.merchantName),
    wallets: { loaded: WALLET_INTEGRITY, isTron: "offer" in view && view.offer.family === "tron" },
  });
}

/** Renders the page of a deposit address. `tag` is its checkoutTag. */
export function depositPage(view: DepositView, tag: string, page: PageContext): Page {
  const main = <DepositMain view={view} tag={tag} page={page} />;
  const { title } = depositWording(view, page.t);
  const ending = page.t.footer(view.merchantName);
  return wholePage({ view, page, title, doing: "", isReloaded: true, main, ending });
}

/** Renders the part of a deposit address page that follows incoming transfers, for replacement in an open page. */
export function depositFragment(view: DepositView, tag: string, page: PageContext): Page {
  return { html: String(<DepositMain view={view} tag={tag} page={page} />), policy: STILL_POLICY };
}

/** Renders the claim page of a refund. `tag` is its checkoutTag. */
export function claimPage(view: ClaimView, tag: string, page: ClaimContext): Page {
  const main = <ClaimMain view={view} tag={tag} page={page} />;
  // A reload would discard the customer's input.
  const isReloaded = view.state === "claimed" || view.state === "approved" || view.state === "sent";
  return wholePage({ view, page, title: claimWording(view, page.t).title, doing: "", isReloaded, main, ending: null });
}

/** Renders the part of a claim page that follows the refund, for replacement in an open page. */
export function claimFragment(view: ClaimView, tag: string, page: ClaimContext): Page {
  return { html: String(<ClaimMain view={view} tag={tag} page={page} />), policy: STILL_POLICY };
}

/** Renders the page of a payment link. It has no script: nothing on it changes before the payer submits it. */
export function linkPage(view: LinkView, page: LinkContext): Page {
  const { title } = linkWording(view, page.t);
  const main = <LinkMain view={view} page={page} />;
  const ending = page.t.footer(view.merchantName);
  return wholePage({ view, page, title, doing: "", isReloaded: false, isStill: true, main, ending });
}

interface WholePage {
  view: Pick<PageView, "merchantName" | "brand">;
  page: PageContext;
  /** The heading. */
  title: string;
  /** The other parameters of the page's URL, for the links to other languages. */
  doing: string;
  /** True if the page reloads automatically when there is no script. */
  isReloaded: boolean;
  /** True if the page has no script. */
  isStill?: boolean;
  main: Child;
  /** The sentence at the end of the page; null for none. */
  ending: string | null;
  /** The permissions that the policy grants to wallets; absent if the page uses none. */
  wallets?: { loaded: string; isTron: boolean };
}

function wholePage({ view, page, title: heading, ...parts }: WholePage): Page {
  const { doing, isReloaded, isStill = false, main, ending, wallets } = parts;
  const { t } = page;
  const { brand, merchantName } = view;
  const title = t.pageTitle(heading, merchantName);
  const reload = isReloaded ? <ReloadWithoutScript seconds={RELOAD_SECONDS} /> : null;
  const body = (
    <>
      <Header view={view} page={page} doing={doing} />
      <p class="offline" id="offline" role="status" hidden>
        {t.offline}
      </p>
      {page.notice && <p class="offline">{page.notice}</p>}
      {main}
      <footer class="foot">
        {ending !== null && <p>{ending}</p>}
        {brand.supportUrl && (
          <p>
            <a class="link" href={brand.supportUrl} target="_blank" rel="noopener noreferrer">
              {t.support(merchantName)}
            </a>
          </p>
        )}
        <p>{t.poweredBy}</p>
      </footer>
      <p class="spoken" id="live" role="status" data-copy-failed={t.copyFailed} />
      {brand.frameParents.length > 0 && (
        <p id="shop" data-parents={brand.frameParents.join(" ")} data-close={t.close} hidden />
      )}
      {!isStill && <script>{raw(SCRIPT)}</script>}
    </>
  );
  const style = brandStyle(brand);
  const styles = style === "" ? [PAGE_STYLE] : [PAGE_STYLE, style];
  const policy = contentPolicy({
    styles,
    script: isStill ? null : SCRIPT,
    ...wallets,
    frameParents: brand.frameParents,
  });
  return { html: documentText({ t, title, reload, styles, body }), policy };
}

/**
 * Renders the header with the payee. The logo is embedded in the page, because a separate request would finish after the first paint and
 * shift the content.
 */
function Header({ view, page, doing }: Pick<WholePage, "view" | "page" | "doing">) {
  const { t, logo } = page;
  const name = view.merchantName;
  return (
    <header class="top">
      {logo ? (
        jsx("img", { class: "logo", src: `data:image/webp;base64,${logo}`, width: 32, height: 32, alt: "" })
      ) : (
        <span class="mark" aria-hidden="true">
          {[...name][0]?.toUpperCase()}
        </span>
      )}
      <bdi>{name}</bdi>
      <LanguageSwitch t={t} offered={view.brand.languages} doing={doing} />
    </header>
  );
}

/** Returns the other parameters of the page's URL while the payer selects a method or enters a transaction. */
function doing(view: PageView, { isAsking, from = null }: PageContext): string {
  const isChoosing = "options" in view && view.shown !== null;
  const step = isChoosing ? "&choose=1" : isAsking ? "&paid=1" : "";
  const name = sourceName(from);
  return name === null ? step : `${step}&from=${name}`;
}

/**
 * Returns the style rules that apply the merchant's color to buttons and links; "" if the merchant has no color. In print, everything is
 * black.
 */
function brandStyle({ accent }: Brand): string {
  const shades = accent === null ? null : accentOf(accent);
  if (!shades || "problem" in shades) return "";
  const rule = ({ fill, hover, text }: Shade) =>
    `:root{--button:${fill};--button-hover:${hover};--on-button:${text};--link:${fill}}`;
  return `@media screen{${rule(shades.light)}@media(prefers-color-scheme:dark){${rule(shades.dark)}}}`;
}

function ReloadWithoutScript({ seconds }: { seconds: number }) {
  return (
    <noscript>
      <meta http-equiv="refresh" content={String(seconds)} />
    </noscript>
  );
}

/** Renders the part of the payment page that follows the order, for replacement in an open page. */
export function checkoutFragment(view: PageView, tag: string, page: PageContext): Page {
  return { html: String(<CheckoutMain view={view} tag={tag} page={page} />), policy: STILL_POLICY };
}

/** Renders the page for a link without an order. */
export function notFoundPage(t: Messages): Page {
  return stillPage(t, t.notFoundTitle, t.notFoundLead, null);
}

/** Renders the page for an order whose address was changed outside the application. */
export function integrityPage(t: Messages): Page {
  return stillPage(t, t.tamperedTitle, t.tamperedLead, null);
}

/** Renders the page for a link without a deposit address. */
export function noDepositPage(t: Messages): Page {
  return stillPage(t, t.notFoundTitle, t.depositNoneLead, null);
}

/** Renders the page for a link without a refund. */
export function noClaimPage(t: Messages): Page {
  return stillPage(t, t.notFoundTitle, t.refundNoneLead, null);
}

/** Renders the page for an address without a payment link. */
export function noLinkPage(t: Messages): Page {
  return stillPage(t, t.notFoundTitle, t.linkNoneLead, null);
}

/**
 * Renders the page for a payer who got no order. It has no links to other languages, because they would repeat the shop's request without
 * its fields.
 * @param reference the id of the request in the log
 */
export function refusedPage(t: Messages, refusal: PayerRefusal, reference: string): Page {
  const texts: Record<PayerRefusal, [title: string, lead: string]> = {
    paid: [t.alreadyPaidTitle, t.alreadyPaidLead],
    closed: [t.closedTitle, t.closedLead],
    temporary: [t.refusedTitle, t.notNowLead],
    invalid: [t.refusedTitle, t.refusedLead],
  };
  const [title, lead] = texts[refusal];
  return stillPage(t, title, lead, null, reference);
}

/** Renders the page that is shown while orders cannot be read. It reloads automatically. */
export function awayPage(t: Messages): Page {
  return stillPage(t, t.awayTitle, t.awayLead, RETRY_SECONDS);
}

/** Renders the page for an IP address with too many page views. The page reloads after `retrySeconds`. */
export function busyPage(t: Messages, retrySeconds: number): Page {
  return stillPage(t, t.busyTitle, t.busyLead, retrySeconds);
}

function stillPage(t: Messages, title: string, lead: string, retrySeconds: number | null, reference?: string): Page {
  const isBack = retrySeconds !== null;
  const body = (
    <>
      <header class="top">{reference === undefined && <LanguageSwitch t={t} />}</header>
      <main class="card" id="pay" data-state="none" data-retry={retrySeconds ?? undefined}>
        <div class="outcome">
          <h1>{title}</h1>
          <p class="lead">
            <Rich text={lead} />
          </p>
          {reference !== undefined && (
            <p class="hint">
              {t.reference}: <bdi>{reference}</bdi>
            </p>
          )}
        </div>
      </main>
      {isBack && <script>{raw(RETRY_SCRIPT)}</script>}
    </>
  );
  const reload = isBack ? <ReloadWithoutScript seconds={retrySeconds} /> : null;
  const policy = isBack ? RETRY_POLICY : STILL_POLICY;
  return { html: documentText({ t, title, reload, styles: [PAGE_STYLE], body }), policy };
}

interface DocumentParts {
  t: Messages;
  title: string;
  /** The meta element that reloads the page automatically, if any. */
  reload: Child;
  styles: readonly string[];
  body: Child;
}

function documentText({ t, title, reload, styles, body }: DocumentParts): string {
  const document = html`<!doctype html>
<html lang="${t.lang}" dir="${t.dir}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="theme-color" content="#f4f5f7" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="#0b0e13" media="(prefers-color-scheme: dark)">
<title>${title}</title>
${reload}<link rel="icon" href="${ICON}">
${styles.map((style) => raw(`<style>${style}</style>`))}
</head>
<body>${body}</body>
</html>
`;
  return String(document);
}
