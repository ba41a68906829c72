import { ChevronLeft, ChevronRight, SearchX } from "lucide-react";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import type { ListCursor } from "@/lib/domain/list-cursor";

const minute = (at: Date) => `${at.toISOString().slice(0, 16).replace("T", " ")} UTC`;

interface PagerProps {
  /** The URLs of the adjacent pages; null if there are none. */
  newer: string | null;
  older: string | null;
}

/** Renders the links to newer and older rows of a list. */
export function Pager({ newer, older }: PagerProps) {
  const t = useTranslations("lists");
  if (!newer && !older) return null;
  return (
    <nav aria-label={t("pages")} className="flex items-center justify-between border-line border-t px-4 py-2.5 sm:px-5">
      {newer ? (
        <Button asChild size="small">
          <Link href={newer}>
            <ChevronLeft aria-hidden /> {t("newer")}
          </Link>
        </Button>
      ) : (
        <span />
      )}
      {older ? (
        <Button asChild size="small">
          <Link href={older}>
            {t("older")} <ChevronRight aria-hidden />
          </Link>
        </Button>
      ) : null}
    </nav>
  );
}

interface ListPage {
  rows: readonly unknown[];
  newer: ListCursor | null;
  older: ListCursor | null;
  /** The creation time of the last row that the search examined before it reached its limit; null if the search was complete. */
  lookedUntil: Date | null;
}

/**
 * Renders the end of a page: the pager and, if the search reached its limit, the creation time of the last examined row, so that the page
 * is not mistaken for the whole list.
 */
export function ListEnd({ page, hrefOf }: { page: ListPage; hrefOf(cursor: ListCursor): string }) {
  const t = useTranslations("lists");
  const { rows, newer, older, lookedUntil } = page;
  if (rows.length === 0) return null;
  return (
    <>
      {lookedUntil ? (
        <p className="border-line border-t px-4 py-2.5 text-[0.8125rem] text-ink-soft sm:px-5">
          {t("lookedBack", { time: minute(lookedUntil) })}
        </p>
      ) : null}
      <Pager newer={newer && hrefOf(newer)} older={older && hrefOf(older)} />
    </>
  );
}

/** Renders the empty state of a page whose search reached its limit before it found a match. */
export function NothingYet({ at, older }: { at: Date; older: string }) {
  const t = useTranslations("lists");
  return (
    <EmptyState
      Icon={SearchX}
      title={t("nothingYet", { time: minute(at) })}
      action={
        <Button asChild look="primary">
          <Link href={older}>{t("lookFurther")}</Link>
        </Button>
      }
    >
      <p>{t("lookFurtherHint")}</p>
    </EmptyState>
  );
}

/** Renders the empty state of a list without matches: a search hint, and the link that clears the filter. */
export function NothingFits({
  title,
  hint,
  all,
}: {
  title: string;
  hint: string;
  all: { href: string; text: string };
}) {
  return (
    <EmptyState
      Icon={SearchX}
      title={title}
      action={
        <Button asChild>
          <Link href={all.href}>{all.text}</Link>
        </Button>
      }
    >
      <p>{hint}</p>
    </EmptyState>
  );
}
