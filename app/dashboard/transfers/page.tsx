import { ArrowLeftRight } from "lucide-react";
import type { Metadata } from "next";
import Link from "next/link";
import { getContext } from "@/app/context";
import { requirePerson } from "@/app/session";
import { PageHead } from "@/components/dashboard/page-head";
import { Pager } from "@/components/dashboard/pager";
import { TransferTable } from "@/components/dashboard/transfer-table";
import { Card } from "@/components/ui/card";
import { cn } from "@/components/ui/class-names";
import { EmptyState } from "@/components/ui/empty-state";
import { countUnmatched, listTransfers } from "@/db/queries/transfer-list";
import { parseListPlace, type SearchParams } from "@/lib/domain/order-filter";

export const metadata: Metadata = { title: "Transfers" };

const PATH = "/dashboard/transfers";
const PAGE_SIZE = 50;

export default async function TransfersPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { merchantId } = await requirePerson();
  const { pool, now } = getContext();
  const params = await searchParams;
  const onlyUnmatched = params["show"] === "unmatched";
  const [page, unmatched] = await Promise.all([
    listTransfers(pool.db, merchantId, { onlyUnmatched }, parseListPlace(params), PAGE_SIZE),
    countUnmatched(pool.db, merchantId),
  ]);
  const linkTo = (place: object) =>
    `${PATH}?${new URLSearchParams({ ...(onlyUnmatched ? { show: "unmatched" } : {}), ...place })}`;
  return (
    <>
      <PageHead title="Transfers" hint="Every transfer that ever reached one of your addresses. None is invisible." />
      <nav aria-label="Which transfers" className="mb-4 flex gap-1">
        <Tab href={PATH} isHere={!onlyUnmatched} text="All" />
        <Tab href={`${PATH}?show=unmatched`} isHere={onlyUnmatched} text={`Unmatched (${unmatched})`} />
      </nav>
      <Card isFlush>
        {page.rows.length > 0 ? (
          <>
            <TransferTable transfers={page.rows} now={now()} />
            <Pager newer={page.newer && linkTo(page.newer)} older={page.older && linkTo(page.older)} />
          </>
        ) : (
          <NoTransfers onlyUnmatched={onlyUnmatched} />
        )}
      </Card>
    </>
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

function NoTransfers({ onlyUnmatched }: { onlyUnmatched: boolean }) {
  return onlyUnmatched ? (
    <EmptyState Icon={ArrowLeftRight} title="Every transfer belongs to an order">
      <p>A transfer that no order asked for, by its amount, currency or time, would be listed here.</p>
    </EmptyState>
  ) : (
    <EmptyState Icon={ArrowLeftRight} title="Nothing has arrived yet">
      <p>As soon as a supported token reaches one of your receiving addresses, it is listed here.</p>
    </EmptyState>
  );
}
