import { ReceiptText } from "lucide-react";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { getLocale, getTranslations } from "next-intl/server";
import { getContext } from "@/app/context";
import { pageTitle } from "@/app/language/page-title";
import { requirePerson } from "@/app/session";
import { DownloadMenu } from "@/components/dashboard/frame/download-menu";
import { ListEnd, NothingFits, NothingYet } from "@/components/dashboard/frame/list-ends";
import { PageHead } from "@/components/dashboard/frame/page-head";
import { LiveOrders } from "@/components/dashboard/live/lists";
import { OrderFilters } from "@/components/dashboard/orders/filters";
import { FirstOrderSample } from "@/components/dashboard/orders/first-order-sample";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { listOrders } from "@/db/queries/orders/order-list";
import { integrationNames } from "@/lib/domain/integrations/integration";
import { mayChange } from "@/lib/domain/keys/role";
import { PAGE_SIZE, parseListCursor, type SearchParams } from "@/lib/domain/list-cursor";
import { orderFilter } from "@/lib/domain/orders/filter";
import { listFilterNetworks } from "@/lib/merchants/filter-networks";

export const generateMetadata = pageTitle("orders");

const PATH = "/dashboard/orders";

export default async function OrdersPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const person = await requirePerson();
  const { env, lists, now, integrations } = getContext();
  const t = await getTranslations("orders");
  const names = integrationNames(integrations, await getLocale());
  const params = await searchParams;
  const time = now();
  const filter = orderFilter.parse(params);
  const cursor = parseListCursor(params);
  const [page, networks] = await lists.read((db) =>
    Promise.all([
      listOrders(db, person.merchantId, filter, cursor, PAGE_SIZE),
      listFilterNetworks(db, env, person.merchantId),
    ]),
  );
  const query = orderFilter.write(filter, cursor);
  const isFiltered = query !== "";
  const empty =
    page.lookedUntil && page.older ? (
      <NothingYet at={page.lookedUntil} older={PATH + orderFilter.write(filter, page.older)} />
    ) : isFiltered ? (
      <NothingFits title={t("nothingFits")} hint={t("lookFor")} all={{ href: PATH, text: t("showAll") }} />
    ) : (
      <NoOrders publicUrl={env.publicUrl} networks={env.rpcUrls.keys()} />
    );
  return (
    <>
      <PageHead
        title={t("title")}
        action={
          <div className="flex flex-wrap gap-2">
            {page.rows.length > 0 ? <DownloadMenu path={`${PATH}/export`} query={orderFilter.write(filter)} /> : null}
            {mayChange(person.role) ? (
              <Button asChild look="primary">
                <Link href="/dashboard/links?create=1">{t("newLink")}</Link>
              </Button>
            ) : null}
          </div>
        }
      />
      {page.rows.length > 0 || isFiltered ? (
        <OrderFilters filter={filter} networks={networks} integrations={names} />
      ) : null}
      {filter.callback === "failed" && page.rows.length > 0 ? (
        <Button asChild className="mb-4">
          <Link href="/dashboard/callbacks?status=failed">{t("failedCallbacks")}</Link>
        </Button>
      ) : null}
      <Card isFlush>
        <LiveOrders query={query} pageSize={PAGE_SIZE} rows={page.rows} at={time} empty={empty} />
        <ListEnd page={page} hrefOf={(to) => PATH + orderFilter.write(filter, to)} />
      </Card>
    </>
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
