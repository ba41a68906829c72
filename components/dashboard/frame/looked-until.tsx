import { SearchX } from "lucide-react";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";

const minute = (at: Date) => `${at.toISOString().slice(0, 16).replace("T", " ")} UTC`;

/** So that nobody takes a page that was cut off for all there is. */
export function LookedUntil({ at }: { at: Date }) {
  const t = useTranslations("lists");
  return (
    <p className="border-line border-t px-4 py-2.5 text-[0.8125rem] text-ink-soft sm:px-5">
      {t("lookedBack", { time: minute(at) })}
    </p>
  );
}

/** In place of a page on which nothing was found yet. */
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
