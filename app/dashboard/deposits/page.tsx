import { PiggyBank } from "lucide-react";
import Link from "next/link";
import { getTranslations } from "next-intl/server";
import { getContext } from "@/app/context";
import { pageTitle } from "@/app/language/page-title";
import { requirePerson } from "@/app/session";
import { DepositFilters } from "@/components/dashboard/deposits/filters";
import { DepositTable } from "@/components/dashboard/deposits/table";
import { DownloadMenu } from "@/components/dashboard/frame/download-menu";
import { ListEnd, NothingFits, NothingYet } from "@/components/dashboard/frame/list-ends";
import { PageHead } from "@/components/dashboard/frame/page-head";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { listDepositAddresses } from "@/db/queries/deposits/deposit-list";
import { depositFilter } from "@/lib/domain/deposits/filter";
import { PAGE_SIZE, parseListCursor, type SearchParams } from "@/lib/domain/list-cursor";
import { listFilterNetworks } from "@/lib/merchants/filter-networks";

export const generateMetadata = pageTitle("deposits");

const PATH = "/dashboard/deposits";

export default async function DepositsPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { merchantId } = await requirePerson();
  const { env, lists, now } = getContext();
  const t = await getTranslations("deposits");
  const params = await searchParams;
  const filter = depositFilter.parse(params);
  const cursor = parseListCursor(params);
  const [page, networks] = await lists.read((db) =>
    Promise.all([
      listDepositAddresses(db, merchantId, filter, cursor, PAGE_SIZE),
      listFilterNetworks(db, env, merchantId),
    ]),
  );
  const isHome = depositFilter.write(filter, cursor) === "";
  const isEmpty = page.rows.length === 0;
  return (
    <>
      <PageHead
        title={t("title")}
        hint={t("hint")}
        action={isEmpty && isHome ? null : <DownloadMenu path={`${PATH}/export`} query={depositFilter.write(filter)} />}
      />
      {isEmpty && isHome ? null : <DepositFilters filter={filter} networks={networks} />}
      <Card isFlush>
        {isEmpty ? (
          page.lookedUntil && page.older ? (
            <NothingYet at={page.lookedUntil} older={PATH + depositFilter.write(filter, page.older)} />
          ) : isHome ? (
            <EmptyState
              Icon={PiggyBank}
              title={t("none")}
              action={
                <Button asChild>
                  <Link href="/dashboard/settings/addresses">{t("toAddresses")}</Link>
                </Button>
              }
            >
              <p>{t("noneHint")}</p>
            </EmptyState>
          ) : (
            <NothingFits title={t("nothingFits")} hint={t("lookFor")} all={{ href: PATH, text: t("showAll") }} />
          )
        ) : (
          <DepositTable deposits={page.rows} now={now()} />
        )}
        <ListEnd page={page} hrefOf={(to) => PATH + depositFilter.write(filter, to)} />
      </Card>
    </>
  );
}
