"use client";

import { Search } from "lucide-react";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import type { FormEvent, ReactNode } from "react";
import { FILTER_CONTROL } from "@/components/dashboard/frame/filter-pick";
import { Button } from "@/components/ui/button";

interface FilterFormProps {
  path: string;
  /** The text field: its accessible name, placeholder and value. */
  search: { label: string; placeholder: string; text: string | undefined };
  /** The current filter, as a query. */
  query: string;
  /** The URL of the "Clear" link; null if no filter is active. */
  clearTo: string | null;
  /** Returns the query for the values of the form. */
  toQuery(fields: Record<string, string>): string;
  /** The choices beside the text field. */
  children: ReactNode;
  /** The less common fields. `isOpen` is true if one of them currently has a value. */
  more?: { name: string; fields: ReactNode; isOpen: boolean };
}

/** Renders the filter of a list. Its state is in the URL. Without JavaScript, the button submits it. */
export function FilterForm({ path, search, query, clearTo, toQuery, children, more }: FilterFormProps) {
  const t = useTranslations("filters");
  const router = useRouter();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = [...new FormData(event.currentTarget)].map(([name, value]) => [name, String(value)]);
    router.push(path + toQuery(Object.fromEntries(fields)));
  };
  return (
    <search>
      <form key={query} action={path} onSubmit={submit} className="mb-4 grid grid-cols-2 gap-2 sm:flex sm:flex-wrap">
        <div className="relative col-span-2 sm:min-w-60 sm:flex-1">
          <Search aria-hidden className="pointer-events-none absolute top-2.5 left-2.5 size-4 text-ink-soft" />
          <input
            type="search"
            name="q"
            aria-label={search.label}
            placeholder={search.placeholder}
            defaultValue={search.text}
            className={`${FILTER_CONTROL} w-full pl-8`}
          />
        </div>
        {children}
        <div className="flex gap-2">
          <Button type="submit" className="flex-1">
            {t("search")}
          </Button>
          {clearTo === null ? null : (
            <Button asChild look="quiet">
              <Link href={clearTo}>{t("clear")}</Link>
            </Button>
          )}
        </div>
        {more ? (
          <details open={more.isOpen} className="group col-span-2 sm:w-full">
            <summary className="w-fit cursor-pointer rounded text-[0.8125rem] text-ink-soft hover:text-ink">
              {more.name}
            </summary>
            <div className="mt-2 grid grid-cols-2 gap-2 sm:flex sm:flex-wrap">{more.fields}</div>
          </details>
        ) : null}
      </form>
    </search>
  );
}
