import { ExternalLink } from "lucide-react";
import { Amount } from "@/components/dashboard/frame/amount";
import { Fact, Facts } from "@/components/dashboard/frame/facts";
import { Card } from "@/components/ui/card";
import { Identifier } from "@/components/ui/identifier";
import { Time } from "@/components/ui/time";
import { addressUrl, displayAddress, linkUnless } from "@/lib/domain/addresses/address";
import { checkoutText } from "@/lib/domain/checkout/choice";
import { getNetwork, networkTitle } from "@/lib/domain/networks";
import type { CheckoutTerms, OrderPrice } from "@/lib/domain/orders/order";
import { priceText } from "@/lib/domain/rates/currencies";

interface Order {
  price: OrderPrice | null;
  subject: string | null;
  metadata: string | null;
  id: string;
  mchOrderId: string;
  checkout: CheckoutTerms | null;
  /** These three are null while the payer has not chosen. */
  network: string | null;
  currency: string | null;
  amountUnits: bigint | null;
  paidUnits: bigint;
  redirectUrl: string | null;
  createdAt: Date;
  expiresAt: Date;
  paidAt: Date | null;
}

interface Quote {
  network: string;
  currency: string;
  address: string;
  kind: "shared" | "dedicated";
  baseUnits: bigint;
}

const NOT_CHOSEN = "Not chosen yet";

/** What was asked, what the payer owes exactly, and what has come. */
export function OrderSums({ order, quote }: { order: Order; quote: Quote | null }) {
  const { network, currency, amountUnits, checkout } = order;
  const asked = network && currency && amountUnits ? { units: amountUnits, network, currency } : null;
  const left = checkout ? checkoutText(checkout) : "–";
  const sums = [
    { name: "Price", sum: asked, else: left },
    { name: "Payer is asked for", sum: quote && { units: quote.baseUnits, ...quote }, else: NOT_CHOSEN },
    { name: "Confirmed", sum: quote && { units: order.paidUnits, ...quote }, else: "–" },
  ];
  return (
    <Card>
      <dl className="grid gap-x-6 gap-y-3 sm:grid-cols-3">
        {sums.map(({ name, sum, else: otherwise }) => (
          <div key={name}>
            <dt className="text-ink-soft text-xs">{name}</dt>
            <dd className="text-base">
              {sum ? <Amount units={sum.units} network={sum.network} currency={sum.currency} isBare /> : otherwise}
            </dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}

interface PaidOn {
  network: string;
  currency: string;
}

interface OrderFactsProps {
  order: Order;
  /** Null while the payer has not chosen. */
  quote: Quote | null;
  /** What it was really paid with, where that is not what it asks for. */
  paidOn: PaidOn | null;
  paymentUrl: string;
  isSandbox: boolean;
  now: Date;
}

/** Everything else about an order. */
export function OrderFacts({ order, quote, paidOn, paymentUrl, isSandbox, now }: OrderFactsProps) {
  const time = (at: Date) => <Time at={at.toISOString()} now={now.toISOString()} />;
  return (
    <Facts>
      {order.subject ? <Fact name="Subject">{order.subject}</Fact> : null}
      <Fact name="Network">{quote ? `${networkTitle(getNetwork(quote.network))}, ${quote.currency}` : NOT_CHOSEN}</Fact>
      {order.checkout ? <Fact name="Left to the payer">{leftToPayer(order.checkout)}</Fact> : null}
      {order.price ? (
        <>
          <Fact name="Price">{priceText(order.price)}</Fact>
          <Fact name="Rate">
            1 {order.price.currency} = {order.price.rate} {order.price.fiat}
            <span className="block text-[0.8125rem] text-ink-soft">
              {order.price.source}, {time(new Date(order.price.at))}
            </span>
          </Fact>
        </>
      ) : null}
      {paidOn ? (
        <Fact name="Really paid on">
          {networkTitle(getNetwork(paidOn.network))}, {paidOn.currency}
        </Fact>
      ) : null}
      {quote ? <ReceivingAddress quote={quote} isSandbox={isSandbox} /> : null}
      <Fact name="Order id (trade_id)">
        <Identifier text={order.id} what="order id" />
      </Fact>
      <Fact name="Payment page">
        <a
          href={paymentUrl}
          target="_blank"
          rel="noreferrer"
          className="inline-flex items-center gap-1 font-medium text-accent hover:underline"
        >
          Open <ExternalLink aria-hidden className="size-3.5" />
        </a>{" "}
        <Identifier text={paymentUrl} what="payment link" className="text-ink-soft" />
      </Fact>
      <Fact name="Created">{time(order.createdAt)}</Fact>
      <Fact name={order.expiresAt > now ? "Expires" : "Expired"}>{time(order.expiresAt)}</Fact>
      {order.paidAt ? <Fact name="Paid">{time(order.paidAt)}</Fact> : null}
      {order.metadata ? (
        <Fact name="Metadata">
          <span className="break-all font-mono text-[0.8125rem]">{order.metadata}</span>
        </Fact>
      ) : null}
      {order.redirectUrl ? (
        <Fact name="Returns the payer to">
          <span className="break-all font-mono text-[0.8125rem]">{order.redirectUrl}</span>
        </Fact>
      ) : null}
    </Facts>
  );
}

function leftToPayer({ network, currency }: CheckoutTerms): string {
  const left = [network === null ? "network" : null, currency === null ? "currency" : null].filter(Boolean);
  return left.length > 0 ? left.join(" and ") : "nothing";
}

function ReceivingAddress({ quote, isSandbox }: { quote: Quote; isSandbox: boolean }) {
  const network = getNetwork(quote.network);
  return (
    <Fact name={`Receiving address, ${quote.kind}`}>
      <Identifier
        text={displayAddress(network.family, quote.address)}
        what="receiving address"
        isShort
        href={linkUnless(isSandbox, addressUrl(network, quote.address))}
      />
    </Fact>
  );
}
