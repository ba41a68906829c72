/** @jsxImportSource hono/jsx */
import type { Messages } from "@/components/pay/messages/en";
import type { PageContext } from "@/components/pay/page-context";
import { hasTail } from "@/components/pay/panels/send-fields";
import { Address } from "@/components/pay/parts/address";
import { ExplorerLink } from "@/components/pay/parts/link";
import { Rich } from "@/components/pay/parts/rich";
import { tokenText } from "@/components/pay/wording";
import { shorten } from "@/lib/domain/addresses/address";
import type { CheckoutView } from "@/lib/domain/checkout/view";
import type { Currency } from "@/lib/domain/networks";

/**
 * Renders the warnings about mistakes that cost the payer money, in one box below the address: another token or network, another amount,
 * and a second payment.
 */
export function Warnings({ view, page }: { view: CheckoutView; page: PageContext }) {
  const { t, from } = page;
  const { currency, network, token, otherOffers, isExact } = view;
  const amount = `${view.amounts.remaining} ${currency}`;
  const isExchange = from?.kind === "exchange";
  const warnings = [
    ...otherOffers.map((other) => t.otherOffer(other.amount, other.network)),
    t.onlyNote(currency, network.title),
    ...token.lookAlikes.map((one) => t.lookAlikeNote(tokenText(one.name, t), one.symbol, shorten(one.contract))),
    ...(isExact && !isExchange && !hasTail(view) ? [t.exactNote(amount)] : []),
    ...(isExact && from?.kind !== "wallet" ? [t.exchangeNote(amount)] : []),
    ...(isExchange ? [t.exchangeSlow] : []),
  ];
  return (
    <div class="warning" id="warnings">
      {warnings.map((text) => (
        <p key={text}>
          <Rich text={text} />
        </p>
      ))}
    </div>
  );
}

/** Renders the notes that need no action of the payer; none if there are none. */
export function Notes({ view, t }: { view: CheckoutView; t: Messages }) {
  const amount = `${view.amounts.remaining} ${view.currency}`;
  const { alsoShownAs } = view.token;
  if (view.isExact && alsoShownAs === null) return null;
  return (
    <ul class="notes">
      {!view.isExact &&
        [t.sumNote(amount), t.restNote].map((text) => (
          <li key={text}>
            <Rich text={text} />
          </li>
        ))}
      <TokenNotes currency={view.currency} token={{ alsoShownAs, lookAlikes: [] }} t={t} />
    </ul>
  );
}

interface TokenNotesProps {
  currency: Currency;
  token: Pick<CheckoutView["token"], "alsoShownAs" | "lookAlikes">;
  t: Messages;
}

/** Renders notes with the other name under which wallets show a token, and with the tokens that are easily confused with it. */
export function TokenNotes({ currency, token, t }: TokenNotesProps) {
  return (
    <>
      {token.alsoShownAs !== null && (
        <li>
          <Rich text={t.sameTokenNote(currency, token.alsoShownAs)} />
        </li>
      )}
      {token.lookAlikes.map(({ name, symbol, contract }) => (
        <li key={contract}>
          <Rich text={t.lookAlikeNote(tokenText(name, t), symbol, shorten(contract))} />
        </li>
      ))}
    </>
  );
}

/** The part of a view for rendering a token's contract. */
type Contracted = Pick<CheckoutView, "currency" | "explorerName"> & {
  network: Pick<CheckoutView["network"], "name">;
  token: Pick<CheckoutView["token"], "contract" | "url">;
};

/** Renders the token's contract, for payers who verify it. `id` is unique on the page. */
export function Contract({ view, page, id = "contract" }: { view: Contracted; page: PageContext; id?: string }) {
  const { t } = page;
  return (
    <details class="contract" id={id}>
      <summary>{t.contractSummary(view.currency, view.network.name)}</summary>
      <p>
        <Address text={view.token.contract} />
      </p>
      <p>
        {t.contractNote} <ExplorerLink url={view.token.url} explorer={view.explorerName} page={page} />
      </p>
    </details>
  );
}
