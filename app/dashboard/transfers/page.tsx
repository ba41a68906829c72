import { ArrowLeftRight, SearchX } from "lucide-react";
import type { Metadata } from "next";
import Link from "next/link";
import { type Context, getContext } from "@/app/context";
import { AssignTo } from "@/app/dashboard/transfers/assign-to";
import { requirePerson } from "@/app/session";
import { PageHead } from "@/components/dashboard/frame/page-head";
import { Pager } from "@/components/dashboard/frame/pager";
import { TransferFilters } from "@/components/dashboard/transfers/filters";
import { TransferTable } from "@/components/dashboard/transfers/table";
import { UnmatchedList } from "@/components/dashboard/transfers/unmatched-list";
import { UnreadableList } from "@/components/dashboard/transfers/unreadable-list";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { cn } from "@/components/ui/class-names";
import { EmptyState } from "@/components/ui/empty-state";
import { listUnreadable } from "@/db/queries/networks/accounts";
import { countUnmatched, type ListedTransfer, listLost, listTransfers } from "@/db/queries/transfers/transfer-list";
import { mayChange } from "@/lib/domain/keys/role";
import { parseListPlace, type SearchParams } from "@/lib/domain/list-place";
import { parseTransferFilter, type TransferFilter, writeTransferFilter } from "@/lib/domain/transfers/filter";
import { suggestOrders } from "@/lib/ledger/suggest-orders";
import { listFilterNetworks } from "@/lib/merchants/filter-networks";

export const metadata: Metadata = { title: "Transfers" };

const PATH = "/dashboard/transfers";
const PAGE_SIZE = 50;
const UNMATCHED_SIZE = 20;
const FIRST_UNMATCHED = 5;
const MOST_UNREADABLE = 50;

export default async function TransfersPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const person = await requirePerson();
  const { merchantId } = person;
  const context = getContext();
  const { env, pool } = context;
  const { db } = pool;
  const params = await searchParams;
  const [filter, place] = [parseTransferFilter(params), parseListPlace(params)];
  const isWaiting = filter.isUnmatched === true;
  const [page, unmatched, networks] = await Promise.all([
    listTransfers(db, merchantId, filter, place, isWaiting ? UNMATCHED_SIZE : PAGE_SIZE),
    countUnmatched(db, merchantId),
    listFilterNetworks(db, env, merchantId),
  ]);
  const isHome = writeTransferFilter(filter, place) === "";
  const first = isHome && unmatched > 0 ? await listTransfers(db, merchantId, WAITING, null, FIRST_UNMATCHED) : null;
  const unreadable = isHome ? await listUnreadable(db, merchantId, MOST_UNREADABLE) : [];
  const lost = isHome ? await listLost(db, merchantId) : [];
  const waiting = isWaiting ? page.rows : (first?.rows ?? []);
  const list = (
    <Waiting context={context} merchantId={merchantId} transfers={waiting} canAssign={mayChange(person.role)} />
  );
  const pager = (
    <Pager
      newer={page.newer && PATH + writeTransferFilter(filter, page.newer)}
      older={page.older && PATH + writeTransferFilter(filter, page.older)}
    />
  );
  return (
    <>
      <PageHead title="Transfers" hint="Every transfer that ever reached one of your addresses. None is invisible." />
      <nav aria-label="Which transfers" className="mb-4 flex gap-1">
        <Tab href={PATH} isHere={!isWaiting} text="All" />
        <Tab href={PATH + writeTransferFilter(WAITING)} isHere={isWaiting} text={`Unmatched (${unmatched})`} />
      </nav>
      {lost.length > 0 ? (
        <Card
          title="Taken back by the chain"
          hint="These were confirmed, and a reorganisation removed them. Their orders stay paid. Open each, look it up in an explorer, and settle with your customer if it is gone."
          isFlush
          className="mb-4"
        >
          <TransferTable transfers={lost} now={context.now()} isSandbox={env.isSandbox} />
        </Card>
      ) : null}
      {first && first.rows.length > 0 ? (
        <Card
          title="Waiting for you"
          hint="These arrived and no order asked for them. Assign each to the order it was meant for."
          isFlush
          className="mb-4"
          action={
            first.older ? (
              <Link href={PATH + writeTransferFilter(WAITING)} className="font-medium text-accent hover:underline">
                All {unmatched} unmatched
              </Link>
            ) : null
          }
        >
          {list}
        </Card>
      ) : null}
      {unreadable.length > 0 ? (
        <Card
          title="Could not be read"
          hint="These transactions touched your addresses, and no endpoint can show what they did. Look each up in an explorer: if it paid an order, mark that order as paid by hand. All are tried again every few minutes, and become transfers as soon as an endpoint can show them; another RPC endpoint may."
          isFlush
          className="mb-4"
        >
          <UnreadableList transactions={unreadable} now={context.now()} isSandbox={env.isSandbox} />
        </Card>
      ) : null}
      {page.rows.length > 0 || !isHome ? <TransferFilters filter={filter} networks={networks} /> : null}
      <Card isFlush>
        {page.rows.length > 0 ? (
          <>
            {isWaiting ? list : <TransferTable transfers={page.rows} now={context.now()} isSandbox={env.isSandbox} />}
            {pager}
          </>
        ) : (
          <NoTransfers filter={filter} />
        )}
      </Card>
    </>
  );
}

const WAITING: TransferFilter = { isUnmatched: true };

interface WaitingProps {
  context: Context;
  merchantId: string;
  transfers: readonly ListedTransfer[];
  canAssign: boolean;
}

/** Unmatched transfers, each with the order it was most likely meant for. */
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
  const { isUnmatched, ...rest } = filter;
  if (writeTransferFilter(rest) !== "")
    return (
      <EmptyState
        Icon={SearchX}
        title="No transfer fits this filter"
        action={
          <Button asChild>
            <Link href={PATH}>Show all transfers</Link>
          </Button>
        }
      >
        <p>Look for a transaction hash, a sender or one of your addresses.</p>
      </EmptyState>
    );
  return isUnmatched ? (
    <EmptyState Icon={ArrowLeftRight} title="Every transfer belongs to an order">
      <p>A transfer that no order asked for, by its amount, currency or time, would be listed here.</p>
    </EmptyState>
  ) : (
    <EmptyState Icon={ArrowLeftRight} title="Nothing has arrived yet">
      <p>As soon as a supported token reaches one of your receiving addresses, it is listed here.</p>
    </EmptyState>
  );
}
