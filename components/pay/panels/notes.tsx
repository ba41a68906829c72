/** @jsxImportSource hono/jsx */
import type { Messages } from "@/components/pay/messages/en";
import type { PageContext } from "@/components/pay/page-context";
import { Address } from "@/components/pay/parts/address";
import { ExplorerLink } from "@/components/pay/parts/link";
import { Rich } from "@/components/pay/parts/rich";
import { tokenWords } from "@/components/pay/wording";
import { shorten } from "@/lib/domain/addresses/address";
import type { CheckoutView } from "@/lib/domain/checkout/view";

/** What goes wrong most often, in plain words. */
export function Notes({ view, t }: { view: CheckoutView; t: Messages }) {
  const amount = `${view.amounts.remaining} ${view.currency}`;
  const { alsoShownAs, lookAlikes } = view.token;
  return (
    <ul class="notes">
      <li>
        <Rich text={view.isExact ? t.exactNote(amount) : t.sumNote(amount)} />
      </li>
      <li class="main">
        <Rich text={t.onlyNote(view.currency, view.network.title)} />
      </li>
      {alsoShownAs !== null && (
        <li>
          <Rich text={t.sameTokenNote(view.currency, alsoShownAs)} />
        </li>
      )}
      {lookAlikes.map(({ name, symbol, contract }) => (
        <li key={contract}>
          <Rich text={t.lookAlikeNote(tokenWords(name, t), symbol, shorten(contract))} />
        </li>
      ))}
      <li>
        <Rich text={view.isExact ? t.exchangeNote(amount) : t.restNote} />
      </li>
    </ul>
  );
}

/** The token's contract, for those who check it. */
export function Contract({ view, page }: { view: CheckoutView; page: PageContext }) {
  const { t } = page;
  return (
    <details class="contract" id="contract">
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
