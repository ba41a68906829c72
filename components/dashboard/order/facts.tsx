import { ExternalLink } from "lucide-react";
import Link from "next/link";
import { useTranslations } from "next-intl";
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
  /** The payment terms; `network`, `currency` and `amountUnits` are null until the payer has chosen. */
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

/** Renders the requested amount, the exact amount to pay, and the received amount. */
export function OrderSums({ order, quote }: { order: Order; quote: Quote | null }) {
  const t = useTranslations("order");
  const { network, currency, amountUnits, checkout } = order;
  const asked = network && currency && amountUnits ? { units: amountUnits, network, currency } : null;
  const left = checkout ? checkoutText(checkout) : "–";
  const sums = [
    { name: t("price"), sum: asked, else: left },
    { name: t("asked"), sum: quote && { units: quote.baseUnits, ...quote }, else: t("notChosen") },
    { name: t("confirmed"), sum: quote && { units: order.paidUnits, ...quote }, else: "–" },
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
  /** The quote; null until the payer has chosen. */
  quote: Quote | null;
  /** True if the address MAC does not match: the address was changed outside the application. */
  hasInvalidMac: boolean;
  /** The token that actually paid the order, if it differs from the requested one. */
  paidOn: PaidOn | null;
  paymentUrl: string;
  /** The name of the integration that created the order; null if the order was created without an integration. */
  integration: string | null;
  /** The payment link with which the payer created the order, and the payer's note; null if there is none. */
  link: { id: string; subject: string | null; noteLabel: string | null; note: string | null } | null;
  isSandbox: boolean;
  now: Date;
}

/** Renders the fiat price of an order, and the rate at which it was converted. */
function PriceFacts({ price, now }: { price: OrderPrice; now: Date }) {
  const t = useTranslations("order");
  return (
    <>
      <Fact name={t("price")}>{priceText(price)}</Fact>
      <Fact name={t("rate")}>
        1 {price.currency} = {price.rate} {price.fiat}
        <span className="block text-[0.8125rem] text-ink-soft">
          {price.source}, <Time at={price.at} now={now.toISOString()} hasExact />
        </span>
      </Fact>
    </>
  );
}

/** Renders the payment link of an order, and the note that its payer entered. */
function LinkFact({ link }: { link: NonNullable<OrderFactsProps["link"]> }) {
  const t = useTranslations("linkPages");
  return (
    <>
      <Fact name={t("ofLink")}>
        <Link href={`/dashboard/links/${link.id}`} className="hover:underline">
          {link.subject ?? t("untitled")}
        </Link>
      </Fact>
      {link.note === null ? null : <Fact name={link.noteLabel ?? t("note")}>{link.note}</Fact>}
    </>
  );
}

/** Renders the facts about an order that `OrderSums` does not show. */
export function OrderFacts(props: OrderFactsProps) {
  const { order, quote, hasInvalidMac, paidOn, paymentUrl, integration, link, isSandbox, now } = props;
  const t = useTranslations("order");
  const time = (at: Date) => <Time at={at.toISOString()} now={now.toISOString()} hasExact />;
  return (
    <Facts>
      {order.subject ? <Fact name={t("subject")}>{order.subject}</Fact> : null}
      <Fact name={t("network")}>
        {quote ? `${networkTitle(getNetwork(quote.network))}, ${quote.currency}` : t("notChosen")}
      </Fact>
      {order.checkout ? <Fact name={t("left")}>{t(leftToPayer(order.checkout))}</Fact> : null}
      {order.price ? <PriceFacts price={order.price} now={now} /> : null}
      {paidOn ? (
        <Fact name={t("paidOn")}>
          {networkTitle(getNetwork(paidOn.network))}, {paidOn.currency}
        </Fact>
      ) : null}
      {quote ? <ReceivingAddress quote={quote} hasInvalidMac={hasInvalidMac} isSandbox={isSandbox} /> : null}
      {integration === null ? null : <Fact name={t("integration")}>{integration}</Fact>}
      {link === null ? null : <LinkFact link={link} />}
      <Fact name={t("id")}>
        <Identifier text={order.id} what={t("idWhat")} />
      </Fact>
      <Fact name={t("page")}>
        <a
          href={paymentUrl}
          target="_blank"
          rel="noreferrer"
          className="inline-flex items-center gap-1 font-medium text-accent hover:underline"
        >
          {t("open")} <ExternalLink aria-hidden className="size-3.5" />
        </a>{" "}
        <Identifier text={paymentUrl} what={t("linkWhat")} className="text-ink-soft" />
      </Fact>
      <Fact name={t("created")}>{time(order.createdAt)}</Fact>
      {order.paidAt ? (
        <Fact name={t("paid")}>{time(order.paidAt)}</Fact>
      ) : (
        <Fact name={t(order.expiresAt > now ? "expires" : "expired")}>{time(order.expiresAt)}</Fact>
      )}
      {order.metadata ? (
        <Fact name={t("metadata")}>
          <span className="break-all font-mono text-[0.8125rem]">{order.metadata}</span>
        </Fact>
      ) : null}
      {order.redirectUrl ? (
        <Fact name={t("returns")}>
          <span className="break-all font-mono text-[0.8125rem]">{order.redirectUrl}</span>
        </Fact>
      ) : null}
    </Facts>
  );
}

function leftToPayer({ network, currency }: CheckoutTerms) {
  if (network === null) return currency === null ? "leftBoth" : "leftNetwork";
  return currency === null ? "leftCurrency" : "leftNothing";
}

interface ReceivingAddressProps extends Pick<OrderFactsProps, "hasInvalidMac" | "isSandbox"> {
  quote: Quote;
}

function ReceivingAddress({ quote, hasInvalidMac, isSandbox }: ReceivingAddressProps) {
  const t = useTranslations("order");
  const name = t(quote.kind === "shared" ? "receivingShared" : "receivingDedicated");
  if (hasInvalidMac)
    return (
      <Fact name={name}>
        <span className="font-medium text-bad">{t("receivingTampered")}</span>
      </Fact>
    );
  const network = getNetwork(quote.network);
  return (
    <Fact name={name}>
      <Identifier
        text={displayAddress(network.family, quote.address)}
        what={t("receivingWhat")}
        isShort
        href={linkUnless(isSandbox, addressUrl(network, quote.address))}
      />
    </Fact>
  );
}
