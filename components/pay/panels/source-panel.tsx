/** @jsxImportSource hono/jsx */
import { pageHref } from "@/components/pay/href";
import type { PageContext } from "@/components/pay/page-context";
import { Rich } from "@/components/pay/parts/rich";
import { EXCHANGES, isBelowMinimum, withdrawalFor } from "@/lib/domain/checkout/exchanges";
import type { CheckoutView } from "@/lib/domain/checkout/view";

interface PickerProps {
  tradeId: string;
  page: PageContext;
  /** The parameters of the payer's current step, which the links preserve. */
  step?: Record<string, string>;
}

/**
 * Renders the question where the payer's money is, as links: an exchange account, with the list of exchanges until one is selected, or a
 * wallet.
 */
export function SourcePicker({ tradeId, page, step = {} }: PickerProps) {
  const { t, from = null } = page;
  const isExchange = from?.kind === "exchange";
  const exchange = isExchange ? from.exchange : null;
  const link = (name: string, text: string, isCurrent: boolean, id = `from-${name}`) => (
    <a
      key={id}
      id={id}
      href={pageHref(tradeId, page, { ...step, from: name })}
      aria-current={isCurrent ? "true" : undefined}
    >
      {text}
    </a>
  );
  return (
    <nav class="source" aria-labelledby="source">
      <p class="label" id="source">
        {t.sourceTitle}
      </p>
      <p class="modes">
        {link("exchange", exchange ? `${exchange.name} ▾` : t.sourceExchange, isExchange)}
        {link("wallet", t.sourceWallet, from?.kind === "wallet")}
      </p>
      {isExchange && !exchange && (
        <p class="exchanges">
          {EXCHANGES.map(({ id, name }) => link(id, name, false))}
          {link("exchange", t.sourceOther, true, "from-other")}
        </p>
      )}
    </nav>
  );
}

/** Renders the details that the payer's exchange asks for, in the exchange's own words, and the reason why it may refuse the withdrawal. */
export function ExchangeGuide({ view, page }: { view: CheckoutView; page: PageContext }) {
  const { t, from } = page;
  if (from?.kind !== "exchange" || from.exchange === null) return null;
  const { exchange } = from;
  const withdrawal = withdrawalFor(exchange, { network: view.network.id, currency: view.currency });
  if (withdrawal === null) return <p class="problem">{t.exchangeUnlisted(exchange.name, view.currency)}</p>;
  const money = (amount: string) => `${amount} ${view.currency}`;
  const facts = [
    ...(withdrawal.fee === null ? [] : [t.exchangeFee(money(withdrawal.fee))]),
    ...(withdrawal.minimum === null ? [] : [t.exchangeMinimum(money(withdrawal.minimum))]),
  ];
  return (
    <>
      {isBelowMinimum(withdrawal, view.amounts.remaining) && (
        <p class="problem">
          <Rich text={t.exchangeTooSmall(exchange.name, money(withdrawal.minimum ?? "0"))} />
        </p>
      )}
      <p class="guide">
        {t.exchangeNetwork(exchange.name)}: <bdi>{withdrawal.name}</bdi>
        {facts.length > 0 && <small>{facts.join(" · ")}</small>}
      </p>
    </>
  );
}
