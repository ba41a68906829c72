import { formatUnits } from "@/lib/domain/money";
import type { Currency } from "@/lib/domain/networks";
import { decimalsOf, type OrderException, type OrderStatus } from "@/lib/domain/orders/order";
import { type ExactNumber, exactNumber } from "@/lib/domain/orders/order-wire";
import { dayBefore, type LedgerKind, type LedgerSum, type Period } from "@/lib/domain/reports";

interface FiatSum {
  fiat: string;
  transfers: number;
  /** A decimal string. */
  value: string;
}

interface OrderCount {
  status: OrderStatus;
  exception: OrderException | null;
  orders: number;
}

/** The sums of a period. */
export interface Report {
  ledger: readonly LedgerSum[];
  refunds: readonly LedgerSum[];
  fiat: readonly FiatSum[];
  refundFiat: readonly FiatSum[];
  orders: OrderCount[];
}

interface SumData {
  network: string;
  currency: Currency | null;
  transfers: number;
  amount: ExactNumber | null;
}

interface FiatData {
  fiat: string;
  transfers: number;
  value: ExactNumber;
}

/** The response of report/detail. Days are in UTC. */
export interface ReportData {
  from: string;
  to: string;
  transfers: (SumData & { kind: LedgerKind })[];
  refunds: SumData[];
  fiat_received: FiatData[];
  fiat_refunded: FiatData[];
  orders: OrderCount[];
}

/** Returns the public representation of a report. */
export function toReportData({ from, until }: Period, report: Report): ReportData {
  return {
    from: dayOf(from),
    to: dayOf(dayBefore(until)),
    transfers: report.ledger.map((sum) => ({ kind: sum.kind, ...toSumData(sum) })),
    refunds: report.refunds.map(toSumData),
    fiat_received: report.fiat.map(toFiatData),
    fiat_refunded: report.refundFiat.map(toFiatData),
    orders: report.orders,
  };
}

const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

function toSumData({ network, currency, transfers, units }: LedgerSum): SumData {
  const amount = currency && exactNumber(formatUnits(units, decimalsOf({ network, currency })));
  return { network, currency, transfers, amount };
}

function toFiatData({ fiat, transfers, value }: FiatSum): FiatData {
  return { fiat, transfers, value: exactNumber(value) };
}
