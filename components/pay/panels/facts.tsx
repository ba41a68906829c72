/** @jsxImportSource hono/jsx */
import type { Child } from "hono/jsx";
import type { Messages } from "@/components/pay/messages/en";
import type { PageContext } from "@/components/pay/page-context";
import { Address } from "@/components/pay/parts/address";
import { ExplorerLink } from "@/components/pay/parts/link";
import { Time } from "@/components/pay/parts/time";
import type { CheckoutView } from "@/lib/domain/checkout/view";

/** Renders the receipt, on screen and on paper. */
export function Facts({ view, page }: { view: CheckoutView; page: PageContext }) {
  const { t } = page;
  return (
    <FactList t={t}>
      <Fact name={t.merchant}>{view.merchantName}</Fact>
      {view.subject && <Fact name={t.subject}>{view.subject}</Fact>}
      {view.price && (
        <Fact name={t.price}>
          <bdi>
            {view.price.amount} ({view.price.rate})
          </bdi>
          , <Time at={view.price.at} t={t} />
        </Fact>
      )}
      <Fact name={t.amountOrdered}>{`${view.amounts.due} ${view.currency}`}</Fact>
      {view.hasArrived && <Fact name={t.amountReceived}>{`${view.amounts.arrived} ${view.currency}`}</Fact>}
      <Fact name={t.network}>{view.network.title}</Fact>
      <Fact name={t.address}>
        <Address text={view.address} />
      </Fact>
      {[...view.transfers, ...view.misdirected].map(({ txId, url, explorerName, network }) => (
        <Fact key={txId} name={network.name === view.network.name ? t.transaction : t.transactionOn(network.name)}>
          <Address text={txId} />
          <ExplorerLink url={url} explorer={explorerName} page={page} />
        </Fact>
      ))}
      {view.state === "otherAmount" && view.lookup && (
        <Fact name={t.transaction}>
          <Address text={view.lookup.fullTxId} />
        </Fact>
      )}
      {view.paidAt !== null && (
        <Fact name={t.paidAt}>
          <Time at={view.paidAt} t={t} />
        </Fact>
      )}
      {view.status === "expired" && (
        <Fact name={t.expiredAt}>
          <Time at={view.expiresAt} t={t} />
        </Fact>
      )}
      <Reference tradeId={view.tradeId} t={t} />
    </FactList>
  );
}

/** Renders a receipt under its heading. */
export function FactList({ t, children }: { t: Messages; children: Child }) {
  return (
    <section class="facts" aria-labelledby="facts">
      <h2 id="facts">{t.detailsHeading}</h2>
      <dl>{children}</dl>
    </section>
  );
}

/** Renders the order's reference, for support requests. */
export function Reference({ tradeId, t }: { tradeId: string; t: Messages }) {
  return (
    <Fact name={t.reference}>
      <bdi class="mono" translate="no">
        {tradeId}
      </bdi>
    </Fact>
  );
}

/** Renders one line of a receipt. Its text direction is independent: in every language, the currency follows the amount. */
export function Fact({ name, children }: { name: string; children?: Child }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <bdi>{children}</bdi>
      </dd>
    </div>
  );
}
