import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { getContext } from "@/app/context";
import { CloseLink } from "@/app/dashboard/links/[linkId]/close-link";
import { ShareLink } from "@/app/dashboard/links/[linkId]/share-link";
import { pageTitle } from "@/app/language/page-title";
import { requirePerson } from "@/app/session";
import { PageHead } from "@/components/dashboard/frame/page-head";
import { LinkFacts } from "@/components/dashboard/links/facts";
import { LinkOrders } from "@/components/dashboard/links/orders";
import { LinkState } from "@/components/dashboard/links/state";
import { linkAmount } from "@/components/dashboard/links/texts";
import { Card } from "@/components/ui/card";
import { Refresher } from "@/components/ui/refresher";
import { findLink, listLinkSums, listOrdersOfLink } from "@/db/queries/links/links";
import { mayChange } from "@/lib/domain/keys/role";
import { linkStatus, linkUrl } from "@/lib/domain/links/link";

export const generateMetadata = pageTitle("link");

/** The maximum number of orders that the page lists. */
const MAX_ORDERS = 100;
const REFRESH_MS = 4_000;

export default async function LinkPage({ params }: { params: Promise<{ linkId: string }> }) {
  const { merchantId, role } = await requirePerson();
  const { env, pool, now } = getContext();
  const t = await getTranslations("linkPages");
  const { linkId } = await params;
  const link = await findLink(pool.db, merchantId, { id: linkId });
  if (!link) notFound();
  const [orders, sums] = await Promise.all([
    listOrdersOfLink(pool.db, merchantId, linkId, MAX_ORDERS),
    listLinkSums(pool.db, merchantId, [linkId]),
  ]);
  const time = now();
  const status = linkStatus(link, link.uses, time);
  const amount = linkAmount(link, t);
  const title = link.subject ?? amount;
  return (
    <>
      {orders.some(({ status }) => status === "pending" || status === "confirming") ? (
        <Refresher everyMs={REFRESH_MS} />
      ) : null}
      <PageHead
        back={{ href: "/dashboard/links", text: t("title") }}
        title={
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <span className="break-words">{title}</span>
            <span className="font-normal text-sm tracking-normal">
              <LinkState status={status} />
            </span>
          </span>
        }
        action={mayChange(role) && link.closedAt === null ? <CloseLink linkId={link.id} /> : null}
      />
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="grid min-w-0 gap-4">
          <ShareLink url={linkUrl(env.publicUrl, link.id)} amount={amount} subject={title} />
          <Card title={t("orders")} hint={t("ordersHint")} isFlush>
            {orders.length > 0 ? (
              <LinkOrders orders={orders} now={time} />
            ) : (
              <p className="px-4 pb-4 text-ink-soft sm:px-5">{t("noOrders")}</p>
            )}
            {orders.length === MAX_ORDERS ? (
              <p className="px-4 pb-4 text-ink-soft sm:px-5">{t("ordersShown", { max: MAX_ORDERS })}</p>
            ) : null}
          </Card>
        </div>
        <Card title={t("details")}>
          <LinkFacts link={link} sums={sums} now={time} />
        </Card>
      </div>
    </>
  );
}
