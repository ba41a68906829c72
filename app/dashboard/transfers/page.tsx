import { ArrowLeftRight } from "lucide-react";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { getTranslations } from "next-intl/server";
import type { ComponentProps, ReactNode } from "react";
import { type Context, getContext } from "@/app/context";
import { AssignTo } from "@/app/dashboard/transfers/assign-to";
import { pageTitle } from "@/app/language/page-title";
import { requirePerson } from "@/app/session";
import { ListEnd, NothingFits, NothingYet } from "@/components/dashboard/frame/list-ends";
import { PageHead } from "@/components/dashboard/frame/page-head";
import { LiveTransfers, LiveUnmatched } from "@/components/dashboard/live/lists";
import { TransferFilters } from "@/components/dashboard/transfers/filters";
import { TransferTable } from "@/components/dashboard/transfers/table";
import { UnmatchedList } from "@/components/dashboard/transfers/unmatched-list";
import { UnreadableList } from "@/components/dashboard/transfers/unreadable-list";
import { Card } from "@/components/ui/card";
import { cn } from "@/components/ui/class-names";
import { EmptyState } from "@/components/ui/empty-state";
import type { Db } from "@/db/client";
import { listUnreadable } from "@/db/queries/networks/accounts";
import { countUnmatched, type ListedTransfer, listLost, listTransfers } from "@/db/queries/transfers/transfer-list";
import { mayChange } from "@/lib/domain/keys/role";
import { type ListCursor, PAGE_SIZE, parseListCursor, type SearchParams } from "@/lib/domain/list-cursor";
import { type TransferFilter, transferFilter } from "@/lib/domain/transfers/filter";
import { suggestOrders } from "@/lib/ledger/suggest-orders";
import { listFilterNetworks } from "@/lib/merchants/filter-networks";

export const generateMetadata = pageTitle("transfers");

const PATH = "/dashboard/transfers";
const UNMATCHED_SIZE = 10;
const FIRST_UNMATCHED = 5;
const MAX_UNREADABLE = 50;

export default async function TransfersPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const person = await requirePerson();
  const { merchantId } = person;
  const t = await getTranslations("transfers");
  const context = getContext();
  const { env, lists } = context;
  const params = await searchParams;
  const time = context.now();
  const filter = transferFilter.parse(params);
  const cursor = parseListCursor(params);
  const isWaiting = filter.show === "unmatched";
  const isHome = transferFilter.write(filter, cursor) === "";
  const { page, unmatched, networks, first, unreadable, lost } = await lists.read((db) =>
    readTransfers(db, env, merchantId, { filter, cursor, isHome }),
  );
  const waiting = isWaiting ? page.rows : (first?.rows ?? []);
  const list = (
    <Waiting context={context} merchantId={merchantId} transfers={waiting} canAssign={mayChange(person.role)} />
  );
  return (
    <>
      <PageHead title={t("title")} hint={t("hint")} />
      <Tabs isWaiting={isWaiting} unmatched={unmatched} />
      <Problems
        lost={lost}
        unreadable={unreadable}
        first={first}
        unmatched={unmatched}
        now={time}
        isSandbox={env.isSandbox}
      >
        {list}
      </Problems>
      {page.rows.length > 0 || !isHome ? <TransferFilters filter={filter} networks={networks} /> : null}
      <Card isFlush>
        <TransferList
          query={transferFilter.write(filter, cursor)}
          rows={page.rows}
          at={time}
          isSandbox={env.isSandbox}
          empty={<NothingListed page={page} filter={filter} />}
          unmatched={isWaiting ? list : null}
        />
        <ListEnd page={page} hrefOf={(to) => PATH + transferFilter.write(filter, to)} />
      </Card>
    </>
  );
}

interface TransferListProps extends Omit<ComponentProps<typeof LiveTransfers>, "pageSize"> {
  /** The list of unmatched transfers if the page shows them; null if it shows all transfers. */
  unmatched: ReactNode;
}

function TransferList({ unmatched, isSandbox, ...list }: TransferListProps) {
  if (unmatched === null) return <LiveTransfers {...list} isSandbox={isSandbox} pageSize={PAGE_SIZE} />;
  return (
    <LiveUnmatched {...list} pageSize={UNMATCHED_SIZE}>
      {unmatched}
    </LiveUnmatched>
  );
}

function NothingListed({ page, filter }: Pick<ReadTransfers, "page"> & { filter: TransferFilter }) {
  if (!page.lookedUntil || !page.older) return <NoTransfers filter={filter} />;
  return <NothingYet at={page.lookedUntil} older={PATH + transferFilter.write(filter, page.older)} />;
}

function Tabs({ isWaiting, unmatched }: { isWaiting: boolean; unmatched: number }) {
  const t = useTranslations("transfers");
  return (
    <nav aria-label={t("which")} className="mb-4 flex gap-1">
      <Tab href={PATH} isHere={!isWaiting} text={t("all")} />
      <Tab
        href={PATH + transferFilter.write(WAITING)}
        isHere={isWaiting}
        text={t("unmatchedCount", { count: unmatched })}
      />
    </nav>
  );
}

interface AskedTransfers {
  filter: TransferFilter;
  cursor: ListCursor;
  /** True if the list has no filter. The page then also shows the items that need attention. */
  isHome: boolean;
}

async function readTransfers(
  db: Db,
  env: Context["env"],
  merchantId: string,
  { filter, cursor, isHome }: AskedTransfers,
) {
  const [page, unmatched, networks] = await Promise.all([
    listTransfers(db, merchantId, filter, cursor, filter.show === "unmatched" ? UNMATCHED_SIZE : PAGE_SIZE),
    countUnmatched(db, merchantId),
    listFilterNetworks(db, env, merchantId),
  ]);
  return {
    page,
    unmatched,
    networks,
    first: isHome && unmatched > 0 ? await listTransfers(db, merchantId, WAITING, null, FIRST_UNMATCHED) : null,
    unreadable: isHome ? await listUnreadable(db, merchantId, MAX_UNREADABLE) : [],
    lost: isHome ? await listLost(db, merchantId) : [],
  };
}

type ReadTransfers = Awaited<ReturnType<typeof readTransfers>>;

interface ProblemsProps extends Pick<ReadTransfers, "lost" | "unreadable" | "first" | "unmatched"> {
  now: Date;
  isSandbox: boolean;
  /** The unmatched transfers. */
  children: ReactNode;
}

/** Renders the cards above the list: dropped transfers, unmatched ones, and transactions that cannot be read. */
function Problems({ lost, unreadable, first, unmatched, now, isSandbox, children }: ProblemsProps) {
  const t = useTranslations("transfers");
  const all = first?.older ? (
    <Link href={PATH + transferFilter.write(WAITING)} className="font-medium text-accent hover:underline">
      {t("allUnmatched", { count: unmatched })}
    </Link>
  ) : null;
  return (
    <>
      {lost.length > 0 ? (
        <Card title={t("lost")} hint={t("lostHint")} isFlush className="mb-4">
          <TransferTable transfers={lost} now={now} isSandbox={isSandbox} />
        </Card>
      ) : null}
      {first && first.rows.length > 0 ? (
        <Card title={t("waiting")} hint={t("waitingHint")} isFlush className="mb-4" action={all}>
          {children}
        </Card>
      ) : null}
      {unreadable.length > 0 ? (
        <Card title={t("unreadable")} hint={t("unreadableHint")} isFlush className="mb-4">
          <UnreadableList transactions={unreadable} now={now} isSandbox={isSandbox} />
        </Card>
      ) : null}
    </>
  );
}

const WAITING: TransferFilter = { show: "unmatched" };

interface WaitingProps {
  context: Context;
  merchantId: string;
  transfers: readonly ListedTransfer[];
  canAssign: boolean;
}

/** Renders unmatched transfers, each with the order it was most likely meant for. */
async function Waiting({ context: { pool, now }, merchantId, transfers, canAssign }: WaitingProps) {
  const suggestions = await suggestOrders(pool.db, merchantId, transfers);
  return (
    <UnmatchedList
      transfers={transfers}
      now={now()}
      suggestionsFor={({ id }) => suggestions.get(id) ?? []}
      actionFor={(transfer, likely) =>
        canAssign ? <AssignTo transfer={transfer} likely={likely} isLikeliest={false} /> : null
      }
    />
  );
}

function Tab({ href, isHere, text }: { href: string; isHere: boolean; text: string }) {
  return (
    <Link
      href={href}
      aria-current={isHere ? "page" : undefined}
      className={cn(
        "rounded-lg px-3 py-1.5 font-medium",
        isHere ? "bg-accent-soft text-accent" : "text-ink-soft hover:bg-sunken hover:text-ink",
      )}
    >
      {text}
    </Link>
  );
}

function NoTransfers({ filter }: { filter: TransferFilter }) {
  const t = useTranslations("transfers");
  const { show, ...rest } = filter;
  if (transferFilter.write(rest) !== "")
    return <NothingFits title={t("nothingFits")} hint={t("lookFor")} all={{ href: PATH, text: t("showAll") }} />;
  return show ? (
    <EmptyState Icon={ArrowLeftRight} title={t("allMatched")}>
      <p>{t("allMatchedHint")}</p>
    </EmptyState>
  ) : (
    <EmptyState Icon={ArrowLeftRight} title={t("none")}>
      <p>{t("noneHint")}</p>
    </EmptyState>
  );
}
