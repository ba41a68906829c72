import { Webhook } from "lucide-react";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { getLocale, getTranslations } from "next-intl/server";
import { getContext } from "@/app/context";
import { describeErrors } from "@/app/dashboard/callbacks/describe-attempts";
import { ResendFailed } from "@/app/dashboard/callbacks/resend-failed";
import { pageTitle } from "@/app/language/page-title";
import { requirePerson } from "@/app/session";
import { CallbackFilters } from "@/components/dashboard/callbacks/filters";
import { PausedOrigins } from "@/components/dashboard/callbacks/paused-origins";
import { ListEnd, NothingFits, NothingYet } from "@/components/dashboard/frame/list-ends";
import { PageHead } from "@/components/dashboard/frame/page-head";
import { LiveCallbacks } from "@/components/dashboard/live/lists";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import {
  countFailedCallbacks,
  listCallbacks,
  listPausedOrigins,
  MAX_COUNTED,
} from "@/db/queries/callbacks/callback-list";
import { callbackFilter } from "@/lib/domain/callbacks/filter";
import { mayChange } from "@/lib/domain/keys/role";
import { PAGE_SIZE, parseListCursor, type SearchParams } from "@/lib/domain/list-cursor";

export const generateMetadata = pageTitle("callbacks");

const PATH = "/dashboard/callbacks";

export default async function CallbacksPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { merchantId, role } = await requirePerson();
  const { lists, now } = getContext();
  const t = await getTranslations("callbacks");
  const params = await searchParams;
  const time = now();
  const filter = callbackFilter.parse(params);
  const cursor = parseListCursor(params);
  const isOfFailed = filter.status === undefined || filter.status === "failed";
  const [page, paused, failed] = await lists.read((db) =>
    Promise.all([
      listCallbacks(db, merchantId, filter, cursor, PAGE_SIZE),
      listPausedOrigins(db, merchantId),
      isOfFailed && mayChange(role) ? countFailedCallbacks(db, merchantId, filter) : 0,
    ]),
  );
  const rows = await describeErrors(await getLocale(), page.rows);
  const query = callbackFilter.write(filter, cursor);
  const isFiltered = query !== "";
  const empty =
    page.lookedUntil && page.older ? (
      <NothingYet at={page.lookedUntil} older={PATH + callbackFilter.write(filter, page.older)} />
    ) : isFiltered ? (
      <NothingFits title={t("nothingFits")} hint={t("lookFor")} all={{ href: PATH, text: t("showAll") }} />
    ) : (
      <EmptyState Icon={Webhook} title={t("none")}>
        <p>{t("noneHint")}</p>
      </EmptyState>
    );
  return (
    <>
      <PageHead title={t("title")} hint={t("hint")} action={<KeyLinks />} />
      <PausedOrigins origins={paused} now={time} />
      {page.rows.length > 0 || isFiltered ? <CallbackFilters filter={filter} /> : null}
      {failed > 0 ? (
        <ResendFailed query={callbackFilter.write(filter)} count={failed} isLowerBound={failed >= MAX_COUNTED} />
      ) : null}
      <Card isFlush>
        <LiveCallbacks query={query} pageSize={PAGE_SIZE} rows={rows} at={time} empty={empty} />
        <ListEnd page={page} hrefOf={(to) => PATH + callbackFilter.write(filter, to)} />
      </Card>
    </>
  );
}

/** Renders links to the API keys, where secrets are rotated and test events are sent. Each key has its own secret. */
function KeyLinks() {
  const t = useTranslations("callbacks");
  return (
    <Button asChild>
      <Link href="/dashboard/settings/api-keys" title={t("keysHint")}>
        {t("keys")}
      </Link>
    </Button>
  );
}
