import { ChevronLeft, ChevronRight, FileSpreadsheet } from "lucide-react";
import type { Metadata } from "next";
import Link from "next/link";
import { getContext } from "@/app/context";
import { requirePerson } from "@/app/session";
import { DownloadMenu } from "@/components/dashboard/frame/download-menu";
import { FILTER_CONTROL } from "@/components/dashboard/frame/filter-pick";
import { PageHead } from "@/components/dashboard/frame/page-head";
import { FiatSums, LedgerSums, OrderCounts } from "@/components/dashboard/reports/sums";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { firstValue, type SearchParams } from "@/lib/domain/list-place";
import { type Month, neighboursOf, readMonth } from "@/lib/domain/reports";
import { readMonthReport } from "@/lib/reports/month-report";

export const metadata: Metadata = { title: "Reports" };

const PATH = "/dashboard/reports";

export default async function ReportsPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { merchantId } = await requirePerson();
  const { pool, now } = getContext();
  const month = readMonth(firstValue((await searchParams)["month"]), now());
  const { ledger, fiat, orders } = await readMonthReport(pool.db, merchantId, month);
  const isEmpty = ledger.length === 0 && orders.length === 0;
  return (
    <>
      <PageHead
        title="Reports"
        hint="A month of UTC: transfers by the time of their block, orders by when they were made."
        action={isEmpty ? null : <DownloadMenu path={`${PATH}/export`} query={`?month=${month.name}`} />}
      />
      <MonthPick month={month} now={now()} />
      {isEmpty ? (
        <Card isFlush>
          <EmptyState
            Icon={FileSpreadsheet}
            title={`Nothing happened in ${titleOf(month)}`}
            action={
              <Button asChild>
                <Link href={`${PATH}?month=${neighboursOf(month).before.name}`}>Show the month before</Link>
              </Button>
            }
          >
            <p>No order was made, and no transfer reached your addresses.</p>
          </EmptyState>
        </Card>
      ) : (
        <div className="grid gap-4">
          <Card title={titleOf(month)} isFlush>
            {ledger.length > 0 ? (
              <LedgerSums sums={ledger} />
            ) : (
              <p className="border-line border-t px-4 py-3.5 text-ink-soft sm:px-5">
                No transfer reached your addresses.
              </p>
            )}
          </Card>
          <div className="grid items-start gap-4 md:grid-cols-2">
            <OrderCounts counts={orders} />
            <FiatSums sums={fiat} />
          </div>
          <p className="text-[0.8125rem] text-ink-soft">
            What you sent from your wallets is not known here, so balances on the chain are not compared. A month may
            still change: while transfers are not final, when one is found late, or when a person assigns one.
          </p>
        </div>
      )}
    </>
  );
}

const titleOf = ({ from }: Month) => from.toLocaleDateString("en", { year: "numeric", month: "long", timeZone: "UTC" });

function MonthPick({ month, now }: { month: Month; now: Date }) {
  const { before, after } = neighboursOf(month);
  return (
    <form action={PATH} className="mb-4 flex flex-wrap items-center gap-2">
      <Button asChild size="icon">
        <Link href={`${PATH}?month=${before.name}`} aria-label="The month before">
          <ChevronLeft aria-hidden />
        </Link>
      </Button>
      <input
        key={month.name}
        type="month"
        name="month"
        aria-label="Month"
        defaultValue={month.name}
        max={now.toISOString().slice(0, 7)}
        className={FILTER_CONTROL}
      />
      {after.from <= now ? (
        <Button asChild size="icon">
          <Link href={`${PATH}?month=${after.name}`} aria-label="The month after">
            <ChevronRight aria-hidden />
          </Link>
        </Button>
      ) : null}
      <Button type="submit">Show</Button>
    </form>
  );
}
