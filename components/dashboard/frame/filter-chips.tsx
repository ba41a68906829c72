import { X } from "lucide-react";
import Link from "next/link";
import { useTranslations } from "next-intl";

interface FilterChipsProps {
  /** The active filters, each with the URL of the list without that filter. */
  chips: readonly { field: string; text: string; href: string }[];
}

/** Renders the active filters, each with a link that removes it. */
export function FilterChips({ chips }: FilterChipsProps) {
  const t = useTranslations("filters");
  if (chips.length === 0) return null;
  return (
    <ul aria-label={t("filteredBy")} className="-mt-1 mb-4 flex flex-wrap gap-1.5">
      {chips.map(({ field, text, href }) => (
        <li key={field} className="min-w-0 max-w-full">
          <Link
            href={href}
            className="flex items-center gap-1 rounded-full border border-line bg-surface py-0.5 pr-1.5 pl-2.5 text-xs hover:border-line-strong"
          >
            <span className="truncate">{text}</span>
            <X aria-hidden className="size-3 shrink-0 text-ink-soft" />
            <span className="sr-only">{t("takeAway")}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
