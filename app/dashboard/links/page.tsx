import { Link2, MapPin } from "lucide-react";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { getTranslations } from "next-intl/server";
import type { ReactNode } from "react";
import { type Context, getContext } from "@/app/context";
import { CreateLink } from "@/app/dashboard/links/create-link";
import { pageTitle } from "@/app/language/page-title";
import { requirePerson } from "@/app/session";
import { ListEnd, NothingFits } from "@/components/dashboard/frame/list-ends";
import { PageHead } from "@/components/dashboard/frame/page-head";
import { LinkFilters } from "@/components/dashboard/links/filters";
import { LinkTable } from "@/components/dashboard/links/table";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import type { Db } from "@/db/client";
import { listLinkRows, listLinkSums } from "@/db/queries/links/links";
import { listAddressedNetworks } from "@/db/queries/merchants/networks";
import { mayChange } from "@/lib/domain/keys/role";
import { linkFilter } from "@/lib/domain/links/filter";
import { firstValue, PAGE_SIZE, parseListCursor, type SearchParams } from "@/lib/domain/list-cursor";
import { namesOf } from "@/lib/domain/networks";
import { methodsOn } from "@/lib/merchants/payment-methods";

export const generateMetadata = pageTitle("links");

const PATH = "/dashboard/links";

export default async function LinksPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { merchantId, role } = await requirePerson();
  const { env, lists, now, pool } = getContext();
  const t = await getTranslations("linkPages");
  const params = await searchParams;
  const filter = linkFilter.parse(params);
  const cursor = parseListCursor(params);
  const time = now();
  const [page, sums] = await lists.read(async (db) => {
    const found = await listLinkRows(db, merchantId, filter, { cursor, limit: PAGE_SIZE, now: time });
    return [
      found,
      await listLinkSums(
        db,
        merchantId,
        found.rows.map(({ id }) => id),
      ),
    ] as const;
  });
  const networks = await listOfferedNetworks(pool.db, env, merchantId, time);
  const isHome = linkFilter.write(filter, cursor) === "";
  const isEmpty = page.rows.length === 0;
  const create =
    mayChange(role) && networks.length > 0 ? (
      <CreateLink networks={networks} isOpenAtFirst={firstValue(params["create"]) === "1"} />
    ) : null;
  return (
    <>
      <PageHead title={t("title")} hint={t("hint")} action={isEmpty && isHome ? null : create} />
      {isEmpty && isHome ? null : <LinkFilters filter={filter} />}
      <Card isFlush>
        {isEmpty ? (
          isHome ? (
            <NoLinks create={create} canBePaid={networks.length > 0} />
          ) : (
            <NothingFits title={t("nothingFits")} hint={t("searchHint")} all={{ href: PATH, text: t("showAll") }} />
          )
        ) : (
          <LinkTable links={page.rows} sums={sums} now={time} />
        )}
        <ListEnd page={{ ...page, lookedUntil: null }} hrefOf={(to) => PATH + linkFilter.write(filter, to)} />
      </Card>
    </>
  );
}

/** Returns the networks on which the merchant can be paid. Networks with problems are included: links outlive them. */
async function listOfferedNetworks(db: Db, env: Context["env"], merchantId: string, now: Date) {
  const addressed = await listAddressedNetworks(db, merchantId, now);
  const offered = methodsOn(
    addressed.map((one) => ({ ...one, isOpen: true })),
    env,
  );
  return namesOf(offered.map(({ network }) => network));
}

function NoLinks({ create, canBePaid }: { create: ReactNode; canBePaid: boolean }) {
  const t = useTranslations("linkPages");
  if (canBePaid)
    return (
      <EmptyState Icon={Link2} title={t("none")} action={create}>
        <p>{t("noneHint")}</p>
      </EmptyState>
    );
  return (
    <EmptyState
      Icon={MapPin}
      title={t("noneOffered")}
      action={
        <Button asChild look="primary">
          <Link href="/dashboard/settings/addresses">{t("toAddresses")}</Link>
        </Button>
      }
    >
      <p>{t("noneOfferedHint")}</p>
    </EmptyState>
  );
}
