import { displayAddress, displayTxId } from "@/lib/domain/addresses/address";
import { formatUnits } from "@/lib/domain/money";
import { getNetwork } from "@/lib/domain/networks";
import { creditedUnits, decimalsOf } from "@/lib/domain/orders/order";
import type { TransferStatus } from "@/lib/domain/transfers/transfer";
import { paymentMethodId } from "@/lib/integrations/greenfield/invoice-status";
import type { OrderPayment, OrderQuote } from "@/lib/plugins/order-payments";

const STATUSES: Readonly<Record<TransferStatus, string>> = {
  seen: "Processing",
  confirmed: "Settled",
  dropped: "Invalid",
};

/**
 * Returns the payment methods of an invoice with their payments, the current one first. A method with several quotes appears once, with
 * the newest. Amounts are decimal strings in the token of the method; other tokens are credited 1:1.
 */
export function toInvoiceMethods(quotes: readonly OrderQuote[], payments: readonly OrderPayment[]): object[] {
  const ways = new Map<string, OrderQuote>();
  for (const quote of quotes) if (!ways.has(paymentMethodId(quote))) ways.set(paymentMethodId(quote), quote);
  const wayOf = new Map(quotes.map((quote) => [quote.id, paymentMethodId(quote)]));
  const counted = payments.filter(({ status }) => status !== "dropped");
  return [...ways].map(([id, quote]) => {
    const isOwn = ({ quote_id: quoteId }: OrderPayment) => wayOf.get(quoteId ?? "") === id;
    const amount = BigInt(quote.base_units);
    const total = sum(counted, quote);
    const text = (units: bigint) => formatUnits(units, decimalsOf(quote));
    return {
      paymentMethod: id,
      paymentMethodId: id,
      cryptoCode: quote.currency,
      currency: quote.currency,
      destination: displayAddress(getNetwork(quote.network).family, quote.address),
      paymentLink: "",
      rate: quote.rate ?? "1",
      activated: true,
      additionalData: {},
      paymentMethodPaid: text(sum(counted.filter(isOwn), quote)),
      totalPaid: text(total),
      due: text(total < amount ? amount - total : 0n),
      amount: text(amount),
      networkFee: "0",
      paymentMethodFee: "0",
      payments: payments.filter(isOwn).map((payment, index, own) => toPayment(payment, index, own, quote)),
    };
  });
}

function sum(payments: readonly OrderPayment[], quote: OrderQuote): bigint {
  return payments.reduce((all, payment) => all + creditedTo(payment, quote), 0n);
}

const creditedTo = (payment: OrderPayment, quote: OrderQuote) =>
  creditedUnits({ ...payment, baseUnits: BigInt(payment.base_units) }, quote);

/** Returns the JSON of a payment. Its id contains its index in the transaction, which can contain several payments of one invoice. */
function toPayment(payment: OrderPayment, index: number, own: readonly OrderPayment[], quote: OrderQuote): object {
  const { family } = getNetwork(payment.network);
  const before = own.slice(0, index).filter(({ tx_id: txId }) => txId === payment.tx_id).length;
  return {
    id: `${displayTxId(family, payment.tx_id)}-${before}`,
    receivedDate: Math.floor(payment.seen_ms / 1_000),
    value: formatUnits(creditedTo(payment, quote), decimalsOf(quote)),
    fee: "0",
    status: STATUSES[payment.status],
    destination: displayAddress(family, payment.address),
  };
}
