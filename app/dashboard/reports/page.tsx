import { ChevronLeft, ChevronRight, FileSpreadsheet } from "lucide-react";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { getLocale, getTranslations } from "next-intl/server";
import { getContext } from "@/app/context";
import { pageTitle } from "@/app/language/page-title";
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

export const generateMetadata = pageTitle("reports");

const PATH = "/dashboard/reports";

export default async function ReportsPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { merchantId } = await requirePerson();
  const { pool, now } = getContext();
  const month = readMonth(firstValue((await searchParams)["month"]), now());
  const { ledger, refunds, fiat, orders } = await readMonthReport(pool.db, merchantId, month);
  const [t, locale] = [await getTranslations("reports"), await getLocale()];
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
            <FiatSums sums={fiat} />
          </div>
          <p className="text-[0.8125rem] text-ink-soft">{t("note")}</p>
        </div>
      )}
    </>
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
