import { ChevronLeft, ChevronRight, FileSpreadsheet } from "lucide-react";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { getLocale, getTranslations } from "next-intl/server";
import { getContext } from "@/app/context";
import { ReadBalances } from "@/app/dashboard/reports/read-balances";
import { pageTitle } from "@/app/language/page-title";
import { requirePerson } from "@/app/session";
import { DownloadMenu } from "@/components/dashboard/frame/download-menu";
import { FILTER_CONTROL } from "@/components/dashboard/frame/filter-pick";
import { PageHead } from "@/components/dashboard/frame/page-head";
import { type BalanceRow, BalanceSummary, BalanceTable } from "@/components/dashboard/reports/balances";
import { FiatSums, LedgerSums, OrderCounts } from "@/components/dashboard/reports/sums";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { Refresher } from "@/components/ui/refresher";
import { listAddressedNetworks } from "@/db/queries/merchants/networks";
import { MAX_ADDRESSES } from "@/db/queries/transfers/balances";
import { firstValue, type SearchParams } from "@/lib/domain/list-cursor";
import { type Month, neighboursOf, readMonth } from "@/lib/domain/reports";
import { readBalances } from "@/lib/reports/balances";
import { readReport } from "@/lib/reports/month-report";

export const generateMetadata = pageTitle("reports");

const PATH = "/dashboard/reports";
const REFRESH_MS = 4_000;

export default async function ReportsPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { merchantId } = await requirePerson();
  const { env, lists, now } = getContext();
  const month = readMonth(firstValue((await searchParams)["month"]), now());
  const { report, balances, addressed } = await lists.read(async (db) => ({
    report: await readReport(db, merchantId, month),
    balances: await readBalances(db, new Set(env.rpcUrls.keys()), merchantId),
    addressed: await listAddressedNetworks(db, merchantId, now()),
  }));
  const { ledger, refunds, fiat, refundFiat, orders } = report;
  const t = await getTranslations("reports");
  const locale = await getLocale();
  const title = month.from.toLocaleDateString(locale, { year: "numeric", month: "long", timeZone: "UTC" });
  const moved = [...ledger, ...refunds];
  const isEmpty = moved.length === 0 && orders.length === 0;
  return (
    <>
      <PageHead
        title={t("title")}
        hint={t("hint")}
        action={isEmpty ? null : <DownloadMenu path={`${PATH}/export`} query={`?month=${month.name}`} />}
      />
      <MonthPick month={month} now={now()} />
      {isEmpty ? (
        <Card isFlush>
          <EmptyState
            Icon={FileSpreadsheet}
            title={t("nothing", { month: title })}
            action={
              <Button asChild>
                <Link href={`${PATH}?month=${neighboursOf(month).before.name}`}>{t("showBefore")}</Link>
              </Button>
            }
          >
            <p>{t("nothingHint")}</p>
          </EmptyState>
        </Card>
      ) : (
        <div className="grid gap-4">
          <Card title={title} isFlush>
            {moved.length > 0 ? (
              <LedgerSums sums={moved} />
            ) : (
              <p className="border-line border-t px-4 py-3.5 text-ink-soft sm:px-5">{t("noTransfers")}</p>
            )}
          </Card>
          <div className="grid items-start gap-4 md:grid-cols-2">
            <OrderCounts counts={orders} />
            <FiatSums sums={fiat} refunds={refundFiat} />
          </div>
          <p className="text-[0.8125rem] text-ink-soft">{t("note")}</p>
        </div>
      )}
      <Balances balances={balances} isAddressed={addressed.length > 0} now={now()} />
    </>
  );
}

/** Renders the current balances, independent of the month shown. */
function Balances({
  balances,
  isAddressed,
  now,
}: {
  balances: readonly BalanceRow[];
  isAddressed: boolean;
  now: Date;
}) {
  const t = useTranslations("reports");
  const isRead = balances.length > 0;
  return (
    <div className="mt-4">
      <Card
        title={t("balances")}
        hint={t("balancesHint")}
        isFlush
        action={
          <div className="flex flex-wrap items-center justify-end gap-2">
            {isRead ? <DownloadMenu path={`${PATH}/balances`} query="" /> : null}
            {isRead || isAddressed ? (
              <ReadBalances />
            ) : (
              <Button asChild size="small">
                <Link href="/dashboard/settings/addresses">{t("addAddress")}</Link>
              </Button>
            )}
          </div>
        }
      >
        {isRead ? (
          <>
            <BalanceTable balances={balances} now={now} />
            <BalanceSummary balances={balances} />
          </>
        ) : (
          <p className="border-line border-t px-4 py-3.5 text-ink-soft sm:px-5">
            {t(isAddressed ? "balancesNone" : "balancesNoAddress")}
          </p>
        )}
        {balances.length >= MAX_ADDRESSES ? (
          <p className="border-line border-t px-4 py-3 text-[0.8125rem] text-ink-soft sm:px-5">
            {t("mostAddresses", { count: MAX_ADDRESSES })}
          </p>
        ) : null}
      </Card>
      {balances.some(({ isDue, inUnits, readAt }) => isDue || (readAt !== null && inUnits === null)) ? (
        <Refresher everyMs={REFRESH_MS} />
      ) : null}
    </div>
  );
}

function MonthPick({ month, now }: { month: Month; now: Date }) {
  const t = useTranslations("reports");
  const { before, after } = neighboursOf(month);
  return (
    <form action={PATH} className="mb-4 flex flex-wrap items-center gap-2">
      <Button asChild size="icon">
        <Link href={`${PATH}?month=${before.name}`} aria-label={t("before")}>
          <ChevronLeft aria-hidden />
        </Link>
      </Button>
      <input
        key={month.name}
        type="month"
        name="month"
        aria-label={t("month")}
        defaultValue={month.name}
        max={now.toISOString().slice(0, 7)}
        className={FILTER_CONTROL}
      />
      {after.from <= now ? (
        <Button asChild size="icon">
          <Link href={`${PATH}?month=${after.name}`} aria-label={t("after")}>
            <ChevronRight aria-hidden />
          </Link>
        </Button>
      ) : null}
      <Button type="submit">{t("show")}</Button>
    </form>
  );
}
