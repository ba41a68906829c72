import type { Metadata } from "next";
import Link from "next/link";
import { type Context, getContext } from "@/app/context";
import { requirePerson } from "@/app/session";
import { PageHead } from "@/components/dashboard/frame/page-head";
import { FirstSteps, type Step } from "@/components/dashboard/home/first-steps";
import { NetworkPanel } from "@/components/dashboard/home/network-panel";
import { Totals } from "@/components/dashboard/home/totals";
import { FirstOrderSample } from "@/components/dashboard/orders/first-order-sample";
import { OrderTable } from "@/components/dashboard/orders/table";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { cn } from "@/components/ui/class-names";
import { Notice } from "@/components/ui/notice";
import { listFailingOf } from "@/db/queries/many-rows";
import { countUnreadable, countUnreadableByNetwork } from "@/db/queries/networks/accounts";
import { listOrders } from "@/db/queries/orders/order-list";
import {
  countFailedCallbacks,
  countPausedAddresses,
  type FirstSteps as Done,
  findFirstSteps,
  listCursors,
} from "@/db/queries/orders/overview";
import { countGivenUp, listTotals } from "@/db/queries/orders/totals";
import { listContradicted } from "@/db/queries/transfers/observations";
import { countLost } from "@/db/queries/transfers/reorgs";
import { countUnmatched } from "@/db/queries/transfers/transfer-list";
import { firstValue, type SearchParams } from "@/lib/domain/list-place";
import { readSpan, sumFigures } from "@/lib/domain/orders/figures";
import type { FailingTask } from "@/lib/domain/transfers/failing-task";
import { findTamperedAddresses } from "@/lib/merchants/addresses";
import { listPrices } from "@/lib/merchants/prices";

export const metadata: Metadata = { title: "Home" };

const LATEST = 8;
const MOST_FAILING = 100;

export default async function HomePage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { merchantId, merchantName } = await requirePerson();
  const context = getContext();
  const { db } = context.pool;
  const now = context.now();
  const span = readSpan(firstValue((await searchParams)["days"]), now);
  const [done, totals, givenUp, networks, latest, attention] = await Promise.all([
    findFirstSteps(db, merchantId, now),
    listTotals(db, merchantId, span),
    countGivenUp(db, merchantId, span.since),
    listNetworks(context),
    listOrders(db, merchantId, {}, null, LATEST),
    findAttention(context, merchantId),
  ]);
  const steps = toSteps(done, context);
  const isStarting = steps.some((step) => !step.isDone);
  return (
    <>
      <PageHead title={merchantName} />
      <div className="grid gap-4">
        {attention.map(({ text, href, action }) => (
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
        ))}
        {isStarting ? <FirstSteps steps={steps} /> : null}
        {done.hasPaidOrder ? <Totals figures={sumFigures(totals, span)} span={span} givenUp={givenUp} /> : null}
        <div className={cn("grid items-start gap-4", latest.rows.length > 0 && "xl:grid-cols-[minmax(0,1fr)_20rem]")}>
          {latest.rows.length > 0 ? (
            <Card
              title="Latest orders"
              isFlush
              action={
                <Link href="/dashboard/orders" className="font-medium text-accent hover:underline">
                  All orders
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

/** The networks that are switched on, watched yet or not. */
async function listNetworks({ env, pool }: Context) {
  const [cursors, unreadable] = await Promise.all([listCursors(pool.db), countUnreadableByNetwork(pool.db)]);
  const unwatched = { height: null, blockTime: null, headHeight: null, heardAt: null };
  const unknown = { problem: null, warning: null, endpoints: [] };
  return [...env.rpcUrls.keys()].map((network) => ({
    ...(cursors.find((cursor) => cursor.network === network) ?? { network, ...unwatched, ...unknown }),
    unreadable: unreadable.get(network) ?? 0,
  }));
}

/** Where a person sees what fails; what a quote holds has no page of its own. */
function pageOfFailing(row: { task: FailingTask; id: string } | undefined): string {
  if (row?.task === "release" || !row) return "/dashboard/orders";
  return row.task === "expire" ? `/dashboard/orders/${row.id}` : `/dashboard/transfers/${row.id}`;
}

/** What waits for a person, most pressing first. */
async function findAttention({ env, pool: { db }, now }: Context, merchantId: string) {
  const [lost, disputed, failing, { count: tampered }, failed, unreadable, unmatched, forCancelled, prices, paused] =
    await Promise.all([
      countLost(db, merchantId),
      listContradicted(db, merchantId, MOST_FAILING),
      listFailingOf(db, merchantId, now(), MOST_FAILING),
      findTamperedAddresses(db, env, merchantId),
      countFailedCallbacks(db, merchantId),
      countUnreadable(db, merchantId),
      countUnmatched(db, merchantId),
      countUnmatched(db, merchantId, "order_cancelled"),
      listPrices(db, env.rateSources, merchantId, now()),
      countPausedAddresses(db, merchantId),
    ]);
  const unpriced = prices.filter(({ rates }) => rates.some((rate) => "problem" in rate)).map(({ fiat }) => fiat);
  const items = [
    {
      count: lost,
      text: `${counted(lost, "confirmed transfer was", "confirmed transfers were")} taken back by the chain. Paid orders stay paid: look before you deliver.`,
      href: "/dashboard/transfers",
      action: "Show transfers",
    },
    {
      count: disputed.length,
      text: `${counted(disputed.length, "payment waits", "payments wait")}: the endpoints of its network contradict each other. Nobody here knows which is right: you can decide.`,
      href: `/dashboard/transfers/${disputed[0]?.id}`,
      action: "Show who says what",
    },
    {
      count: failing.length,
      text: `${counted(failing.length, "order or transfer", "orders or transfers")} cannot be processed. Each is tried again by itself; the worker's log says why, under its id: ${failing[0]?.id ?? ""}${failing.length > 1 ? " and others" : ""}.`,
      href: pageOfFailing(failing[0]),
      action: "Show the first",
    },
    {
      count: tampered,
      text: `${counted(tampered, "receiving address was", "receiving addresses were")} changed in the database, not here.`,
      href: "/dashboard/settings/addresses",
      action: "Check addresses",
    },
    {
      count: failed,
      text: `${counted(failed, "callback", "callbacks")} could not be delivered: your server does not know of the payment.`,
      href: "/dashboard/orders?callback=failed",
      action: "Show orders",
    },
    {
      count: unreadable,
      text: `${counted(unreadable, "transaction", "transactions")} on your addresses cannot be read: it is not known whether an order was paid.`,
      href: "/dashboard/transfers",
      action: "Show transactions",
    },
    {
      count: forCancelled,
      text: `${counted(forCancelled, "payment", "payments")} arrived for cancelled orders: nobody is credited before you decide.`,
      href: "/dashboard/transfers?show=unmatched&reason=order_cancelled",
      action: "Show payments",
    },
    {
      count: unpriced.length,
      text: `${counted(unpriced.length, "currency has", "currencies have")} no fresh rate: orders priced in ${unpriced.join(", ")} are refused.`,
      href: "/dashboard/settings/prices",
      action: "Show prices",
    },
    {
      count: unmatched - forCancelled,
      text: `${counted(unmatched - forCancelled, "transfer", "transfers")} arrived that no order asked for.`,
      href: "/dashboard/transfers?show=unmatched",
      action: "Show transfers",
    },
    {
      count: paused,
      text: `${counted(paused, "receiving address is", "receiving addresses are")} paused: no new order asks for money there.`,
      href: "/dashboard/settings/addresses",
      action: "Show addresses",
    },
  ];
  return items.filter((item) => item.count > 0);
}

function counted(count: number, one: string, many: string): string {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}

function toSteps(done: Done, { env }: Context): Step[] {
  return [
    {
      title: "Add a receiving address",
      hint: "Where payers send to: an address of your own wallet.",
      isDone: done.hasAddress,
      action: { href: "/dashboard/settings/addresses", text: "Add address" },
    },
    {
      title: "Generate an API key",
      hint: "Your server uses it to create orders.",
      isDone: done.hasKey,
      action: { href: "/dashboard/settings/api-keys", text: "Generate key" },
    },
    {
      title: "Create a first order",
      hint: "From a terminal, with your key:",
      isDone: done.hasOrder,
      more: <FirstOrderSample publicUrl={env.publicUrl} networks={env.rpcUrls.keys()} />,
    },
    {
      title: "Pay it",
      hint: "Open the order's payment page and send the exact amount.",
      isDone: done.hasPaidOrder,
      action: { href: "/dashboard/orders", text: "Show orders" },
    },
    {
      title: "Answer a callback",
      hint: "Create an order with notify_url; your server answers the callback with HTTP 200.",
      isDone: done.hasAnsweredCallback,
    },
  ];
}
