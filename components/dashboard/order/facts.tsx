import { ExternalLink } from "lucide-react";
import { Amount } from "@/components/dashboard/frame/amount";
import { Fact, Facts } from "@/components/dashboard/frame/facts";
import { Card } from "@/components/ui/card";
import { Identifier } from "@/components/ui/identifier";
import { Time } from "@/components/ui/time";
import { addressUrl, displayAddress, linkUnless } from "@/lib/domain/addresses/address";
import { getNetwork, networkTitle } from "@/lib/domain/networks";
import type { OrderPrice } from "@/lib/domain/orders/order";
import { priceText } from "@/lib/domain/rates/currencies";

interface Order {
  price: OrderPrice | null;
  subject: string | null;
  metadata: string | null;
  id: string;
  mchOrderId: string;
  network: string;
  currency: string;
  amountUnits: bigint;
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

/** What was asked, what the payer owes exactly, and what has come. */
export function OrderSums({ order, quote }: { order: Order; quote: Quote }) {
  const sums = [
    { name: "Price", units: order.amountUnits, token: order },
    { name: "Payer is asked for", units: quote.baseUnits, token: quote },
    { name: "Confirmed", units: order.paidUnits, token: quote },
  ];
  return (
    <Card>
      <dl className="grid gap-x-6 gap-y-3 sm:grid-cols-3">
        {sums.map(({ name, units, token }) => (
          <div key={name}>
            <dt className="text-ink-soft text-xs">{name}</dt>
            <dd className="text-base">
              <Amount units={units} network={token.network} currency={token.currency} isBare />
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
  quote: Quote;
  /** What it was really paid with, where that is not what it asks for. */
  paidOn: PaidOn | null;
  paymentUrl: string;
  isSandbox: boolean;
  now: Date;
}

/** Everything else about an order. */
export function OrderFacts({ order, quote, paidOn, paymentUrl, isSandbox, now }: OrderFactsProps) {
  const network = getNetwork(quote.network);
  const address = displayAddress(network.family, quote.address);
  const time = (at: Date) => <Time at={at.toISOString()} now={now.toISOString()} />;
  return (
    <Facts>
      {order.subject ? <Fact name="Subject">{order.subject}</Fact> : null}
      <Fact name="Network">
        {networkTitle(network)}, {quote.currency}
      </Fact>
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
      <Fact name={`Receiving address, ${quote.kind}`}>
        <Identifier
          text={address}
          what="receiving address"
          isShort
          href={linkUnless(isSandbox, addressUrl(network, quote.address))}
        />
      </Fact>
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
