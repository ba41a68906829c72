import { Undo2 } from "lucide-react";
import Link from "next/link";
import { getTranslations } from "next-intl/server";
import { getContext } from "@/app/context";
import { pageTitle } from "@/app/language/page-title";
import { requirePerson } from "@/app/session";
import { DownloadMenu } from "@/components/dashboard/frame/download-menu";
import { ListEnd, NothingFits } from "@/components/dashboard/frame/list-ends";
import { PageHead } from "@/components/dashboard/frame/page-head";
import { RefundFilters } from "@/components/dashboard/refunds/filters";
import { RefundTable } from "@/components/dashboard/refunds/table";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { listRefundRows } from "@/db/queries/refunds/refund-list";
import { PAGE_SIZE, parseListCursor, type SearchParams } from "@/lib/domain/list-cursor";
import { refundFilter } from "@/lib/domain/refunds/filter";
import { listFilterNetworks } from "@/lib/merchants/filter-networks";

export const generateMetadata = pageTitle("refunds");

const PATH = "/dashboard/refunds";

export default async function RefundsPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { merchantId } = await requirePerson();
  const { env, lists, now } = getContext();
  const t = await getTranslations("refundPages");
  const params = await searchParams;
  const filter = refundFilter.parse(params);
  const cursor = parseListCursor(params);
  const [page, networks] = await lists.read((db) =>
    Promise.all([listRefundRows(db, merchantId, filter, cursor, PAGE_SIZE), listFilterNetworks(db, env, merchantId)]),
  );
  const isHome = refundFilter.write(filter, cursor) === "";
  const isEmpty = page.rows.length === 0;
  return (
    <>
      <PageHead
        title={t("title")}
        hint={t("hint")}
        action={
          isEmpty && isHome ? null : (
            <span className="flex flex-wrap gap-2">
              <Button asChild>
                <Link href={`${PATH}/batch`}>{t("batch.link")}</Link>
              </Button>
              <DownloadMenu path={`${PATH}/export`} query={refundFilter.write(filter)} />
            </span>
          )
        }
      />
      {isEmpty && isHome ? null : <RefundFilters filter={filter} networks={networks} />}
      <Card isFlush>
        {isEmpty ? (
          isHome ? (
            <EmptyState
              Icon={Undo2}
              title={t("none")}
              action={
                <Button asChild>
                  <Link href="/dashboard/orders?status=paid">{t("toOrders")}</Link>
                </Button>
              }
            >
              <p>{t("noneHint")}</p>
            </EmptyState>
          ) : (
            <NothingFits title={t("nothingFits")} hint={t("searchHint")} all={{ href: PATH, text: t("showAll") }} />
          )
        ) : (
          <RefundTable refunds={page.rows} now={now()} />
        )}
        <ListEnd page={{ ...page, lookedUntil: null }} hrefOf={(to) => PATH + refundFilter.write(filter, to)} />
      </Card>
    </>
  );
}
