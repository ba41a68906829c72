import { ChevronLeft, ChevronRight } from "lucide-react";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button";

interface PagerProps {
  /** Where the neighbouring pages are; null where there are none. */
  newer: string | null;
  older: string | null;
}

/** The way to newer and older rows of a list. */
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
