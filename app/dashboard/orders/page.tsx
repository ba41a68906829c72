import { ReceiptText, SearchX } from "lucide-react";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { getTranslations } from "next-intl/server";
import { getContext } from "@/app/context";
import { ResendFailed } from "@/app/dashboard/orders/resend-failed";
import { pageTitle } from "@/app/language/page-title";
import { requirePerson } from "@/app/session";
import { PageHead } from "@/components/dashboard/frame/page-head";
import { Pager } from "@/components/dashboard/frame/pager";
import { OrderFilters } from "@/components/dashboard/orders/filters";
import { FirstOrderSample } from "@/components/dashboard/orders/first-order-sample";
import { OrderTable } from "@/components/dashboard/orders/table";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { listOrders } from "@/db/queries/orders/back-office";
import { mayChange } from "@/lib/domain/keys/role";
import { parseListPlace, type SearchParams } from "@/lib/domain/list-place";
import { parseOrderFilter, writeOrderFilter } from "@/lib/domain/orders/filter";
import { listFilterNetworks } from "@/lib/merchants/filter-networks";

export const generateMetadata = pageTitle("orders");

const PATH = "/dashboard/orders";
const PAGE_SIZE = 50;

export default async function OrdersPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const person = await requirePerson();
  const { env, pool, now } = getContext();
  const t = await getTranslations("orders");
  const params = await searchParams;
  const [filter, place] = [parseOrderFilter(params), parseListPlace(params)];
  const [page, networks] = await Promise.all([
    listOrders(pool.db, person.merchantId, filter, place, PAGE_SIZE),
    listFilterNetworks(pool.db, env, person.merchantId),
  ]);
  const isFiltered = writeOrderFilter(filter, place) !== "";
  return (
    <>
      <PageHead title={t("title")} />
      {page.rows.length > 0 || isFiltered ? <OrderFilters filter={filter} networks={networks} /> : null}
      {filter.callback === "failed" && page.rows.length > 0 && mayChange(person.role) ? <ResendFailed /> : null}
      <Card isFlush>
        {page.rows.length > 0 ? (
          <>
            <OrderTable orders={page.rows} now={now()} />
            <Pager
              newer={page.newer && PATH + writeOrderFilter(filter, page.newer)}
              older={page.older && PATH + writeOrderFilter(filter, page.older)}
            />
          </>
        ) : isFiltered ? (
          <NothingFound />
        ) : (
          <NoOrders publicUrl={env.publicUrl} networks={env.rpcUrls.keys()} />
        )}
      </Card>
    </>
  );
}

function NothingFound() {
  const t = useTranslations("orders");
  return (
    <EmptyState
      Icon={SearchX}
      title={t("nothingFits")}
      action={
        <Button asChild>
          <Link href={PATH}>{t("showAll")}</Link>
        </Button>
      }
    >
      <p>{t("lookFor")}</p>
    </EmptyState>
  );
}

function NoOrders(shown: { publicUrl: string; networks: Iterable<string> }) {
  const t = useTranslations("orders");
  return (
    <EmptyState
      Icon={ReceiptText}
      title={t("none")}
      action={
        <Button asChild look="primary">
          <Link href="/dashboard/settings/api-keys">{t("getKey")}</Link>
        </Button>
      }
    >
      <p>{t("howTo")}</p>
      <FirstOrderSample {...shown} />
    </EmptyState>
  );
}
