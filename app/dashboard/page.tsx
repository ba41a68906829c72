import Link from "next/link";
import { getTranslations } from "next-intl/server";
import { Suspense } from "react";
import { type Context, getContext } from "@/app/context";
import { FirstStepsCard } from "@/app/dashboard/first-steps/first-steps-card";
import { TotalsCard } from "@/app/dashboard/totals-card";
import { pageTitle } from "@/app/language/page-title";
import { requirePerson } from "@/app/session";
import { PageHead } from "@/components/dashboard/frame/page-head";
import { NetworkPanel } from "@/components/dashboard/home/network-panel";
import { TotalsLoading } from "@/components/dashboard/home/totals";
import { OrderTable } from "@/components/dashboard/orders/table";
import type { Translate } from "@/components/messages/translate";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { cn } from "@/components/ui/class-names";
import { Notice } from "@/components/ui/notice";
import { MAX_COUNTED } from "@/db/queries/callbacks/callback-list";
import { countUnsigned } from "@/db/queries/callbacks/unsigned";
import { listFailingOf } from "@/db/queries/many-rows";
import { countUnreadable, countUnreadableByNetwork } from "@/db/queries/networks/accounts";
import { listCalls } from "@/db/queries/networks/calls";
import { listOrders } from "@/db/queries/orders/order-list";
import { countFailedCallbacks, countPausedAddresses, findFirstSteps, listCursors } from "@/db/queries/orders/overview";
import { countClaimedRefunds } from "@/db/queries/refunds/refund-requests";
import { listContradicted } from "@/db/queries/transfers/observations";
import { countClaimedTransfers } from "@/db/queries/transfers/payment-claims";
import { countLost } from "@/db/queries/transfers/reorgs";
import { countUnmatched } from "@/db/queries/transfers/transfer-list";
import { mayChange } from "@/lib/domain/keys/role";
import { firstValue, type SearchParams } from "@/lib/domain/list-cursor";
import { type BudgetState, dayOf, type EndpointUse, usesOf } from "@/lib/domain/networks/budget";
import { endpointNames } from "@/lib/domain/networks/health";
import { readChartView } from "@/lib/domain/orders/figures";
import type { FailingTask } from "@/lib/domain/transfers/failing-task";
import { findUnverifiedAddresses } from "@/lib/merchants/addresses";
import { listPrices } from "@/lib/merchants/prices";
import type { Member } from "@/lib/users/session";

export const generateMetadata = pageTitle("home");

const TRANSFERS = "/dashboard/transfers";
const NETWORK_PANEL = "/dashboard#networks";
const LATEST = 8;
const MAX_FAILING = 100;

export default async function HomePage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const person = await requirePerson();
  const { merchantId, merchantName } = person;
  const context = getContext();
  const { db } = context.pool;
  const now = context.now();
  const params = await searchParams;
  const typed = (name: string) => firstValue(params[name]);
  const view = readChartView({ days: typed("days"), chart: typed("chart"), view: typed("view") }, now);
  const t = await getTranslations("home");
  const uses = listUses(context, now);
  const [done, networks, latest, attention] = await Promise.all([
    findFirstSteps(db, merchantId, now),
    listNetworks(context, uses),
    listOrders(db, merchantId, {}, null, LATEST),
    findAttention(context, merchantId, uses),
  ]);
  return (
    <>
      <PageHead title={merchantName} />
      <div className="grid gap-4">
        <AttentionNotices items={attention} />
        <FirstStepsCard
          done={done}
          viewer={viewerOf(person)}
          publicUrl={context.env.publicUrl}
          networks={context.env.rpcUrls.keys()}
        />
        {done.hasPaidOrder ? (
          <Suspense fallback={<TotalsLoading view={view} />}>
            <TotalsCard merchantId={merchantId} view={view} />
          </Suspense>
        ) : null}
        <div className={cn("grid items-start gap-4", latest.rows.length > 0 && "xl:grid-cols-[minmax(0,1fr)_20rem]")}>
          {latest.rows.length > 0 ? (
            <Card
              title={t("latest")}
              isFlush
              action={
                <Link href="/dashboard/orders" className="font-medium text-accent hover:underline">
                  {t("allOrders")}
                </Link>
              }
            >
              <OrderTable orders={latest.rows} now={now} />
            </Card>
          ) : null}
          <NetworkPanel networks={networks} changes={context.env.networkChanges} now={now} />
        </div>
      </div>
    </>
  );
}

function viewerOf({ role, isOperator, factors }: Member) {
  return { canChange: mayChange(role), isOperator, hasFactor: factors.hasTotp || factors.passkeys > 0 };
}

function AttentionNotices({ items }: { items: readonly { text: string; href: string; action: string }[] }) {
  return items.map(({ text, href, action }) => (
    <Notice
      key={text}
      tone="warn"
      action={
        <Button asChild size="small">
          <Link href={href}>{action}</Link>
        </Button>
      }
    >
      {text}
    </Notice>
  ));
}

/** Returns the number of requests to each endpoint today, and the share of its budget that they used. */
async function listUses({ env, pool }: Context, now: Date): Promise<EndpointUse[]> {
  const counts = await listCalls(pool.db, dayOf(now));
  return [...env.rpcUrls].flatMap(([network, urls]) =>
    usesOf(network, endpointNames(urls), env.budgets.get(network) ?? [], counts),
  );
}

/** Returns the enabled networks, including those that have not been watched yet. */
async function listNetworks({ env, pool }: Context, uses: Promise<EndpointUse[]>) {
  const [cursors, unreadable, all] = await Promise.all([listCursors(pool.db), countUnreadableByNetwork(pool.db), uses]);
  const unwatched = { height: null, blockTime: null, headHeight: null, respondedAt: null };
  const unknown = { closedAt: null, problem: null, warning: null, endpoints: [] };
  return [...env.rpcUrls.keys()].map((network) => ({
    ...(cursors.find((cursor) => cursor.network === network) ?? { network, ...unwatched, ...unknown }),
    unreadable: unreadable.get(network) ?? 0,
    uses: all.filter((use) => use.network === network),
  }));
}

/**
 * Returns the page that shows a failing task. The release of a reserved amount has no page of its own, so the list of orders is returned.
 */
function pageOfFailing(row: { task: FailingTask; id: string } | undefined): string {
  if (row?.task === "release" || !row) return "/dashboard/orders";
  if (row.task.endsWith("_refund")) return "/dashboard/refunds";
  return row.task === "expire" ? `/dashboard/orders/${row.id}` : `/dashboard/transfers/${row.id}`;
}

/** Returns the items that need a user's attention, the most urgent first. */
async function findAttention(context: Context, merchantId: string, uses: Promise<EndpointUse[]>) {
  const [found, t] = await Promise.all([readAttention(context, merchantId, uses), getTranslations("attention")]);
  const items = [...integrityItems(found, t), ...serviceItems(found, t), ...reviewItems(found, t)];
  return items.filter((item) => item.count > 0);
}

type Attention = Awaited<ReturnType<typeof readAttention>>;

async function readAttention({ env, pool: { db }, now }: Context, merchantId: string, uses: Promise<EndpointUse[]>) {
  const [
    lost,
    disputed,
    failing,
    { count: unverified },
    failed,
    unsigned,
    unreadable,
    unmatched,
    forCancelled,
    prices,
    paused,
    claimed,
    claimedTransfers,
    all,
  ] = await Promise.all([
    countLost(db, merchantId),
    listContradicted(db, merchantId, MAX_FAILING),
    listFailingOf(db, merchantId, now(), MAX_FAILING),
    findUnverifiedAddresses(db, env, merchantId),
    countFailedCallbacks(db, merchantId),
    countUnsigned(db, merchantId, MAX_COUNTED),
    countUnreadable(db, merchantId),
    countUnmatched(db, merchantId),
    countUnmatched(db, merchantId, "order_cancelled"),
    listPrices(db, env.rateSources, merchantId, now()),
    countPausedAddresses(db, merchantId),
    countClaimedRefunds(db, merchantId),
    countClaimedTransfers(db, merchantId),
    uses,
  ]);
  const inState = (state: BudgetState) => all.filter((use) => use.state === state).map(({ endpoint }) => endpoint);
  return {
    lost,
    disputed,
    failing,
    unverified,
    failed,
    unsigned,
    unreadable,
    forCancelled,
    others: unmatched - forCancelled,
    unpriced: prices.filter(({ rates }) => rates.some((rate) => "problem" in rate)).map(({ fiat }) => fiat),
    paused,
    claimed,
    claimedTransfers,
    spent: inState("spent"),
    near: inState("near"),
  };
}

/** Returns the items for payments and addresses that may be incorrect. */
function integrityItems({ lost, disputed, failing, unverified }: Attention, t: Translate<"attention">) {
  const dispute = disputed[0]?.id ?? "";
  const first = failing[0];
  return [
    { count: lost, text: t("lost", { count: lost }), href: TRANSFERS, action: t("showTransfers") },
    {
      count: disputed.length,
      text: t("disputed", { count: disputed.length }),
      href: `${TRANSFERS}/${dispute}`,
      action: t("showDisputed"),
    },
    {
      count: failing.length,
      text: t("failing", { count: failing.length, id: first?.id ?? "" }),
      href: pageOfFailing(first),
      action: t("showFirst"),
    },
    {
      count: unverified,
      text: t("unverified", { count: unverified }),
      href: "/dashboard/settings/addresses",
      action: t("checkAddresses"),
    },
  ];
}

/** Returns the items for callbacks, endpoints and transactions that fail. */
function serviceItems({ failed, unsigned, spent, near, unreadable }: Attention, t: Translate<"attention">) {
  return [
    {
      count: failed,
      text: t("failed", { count: failed }),
      href: "/dashboard/callbacks?status=failed",
      action: t("showCallbacks"),
    },
    {
      count: unsigned,
      text: t("unsigned", { count: unsigned }),
      href: "/dashboard/callbacks?status=pending",
      action: t("showCallbacks"),
    },
    {
      count: spent.length,
      text: t("spent", { count: spent.length, endpoints: spent.join(", ") }),
      href: NETWORK_PANEL,
      action: t("showNetworks"),
    },
    {
      count: near.length,
      text: t("nearlySpent", { count: near.length, endpoints: near.join(", ") }),
      href: NETWORK_PANEL,
      action: t("showNetworks"),
    },
    { count: unreadable, text: t("unreadable", { count: unreadable }), href: TRANSFERS, action: t("showTransactions") },
  ];
}

/** Returns the items for payments and settings that need a user's decision. */
function reviewItems(found: Attention, t: Translate<"attention">) {
  const { forCancelled, unpriced, others, paused, claimed, claimedTransfers } = found;
  return [
    {
      count: claimedTransfers,
      text: t("claimedTransfers", { count: claimedTransfers }),
      href: `${TRANSFERS}?show=unmatched`,
      action: t("showTransfers"),
    },
    {
      count: claimed,
      text: t("claimed", { count: claimed }),
      href: "/dashboard/refunds?status=claimed",
      action: t("showRefunds"),
    },
    {
      count: forCancelled,
      text: t("forCancelled", { count: forCancelled }),
      href: `${TRANSFERS}?show=unmatched&reason=order_cancelled`,
      action: t("showPayments"),
    },
    {
      count: unpriced.length,
      text: t("unpriced", { count: unpriced.length, fiats: unpriced.join(", ") }),
      href: "/dashboard/settings/prices",
      action: t("showPrices"),
    },
    {
      count: others,
      text: t("unmatched", { count: others }),
      href: `${TRANSFERS}?show=unmatched`,
      action: t("showTransfers"),
    },
    {
      count: paused,
      text: t("paused", { count: paused }),
      href: "/dashboard/settings/addresses",
      action: t("showAddresses"),
    },
  ];
}
