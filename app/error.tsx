"use client";

import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button";

/** Renders the page for a failed render. It shows no details, only the digest that identifies the error in the log. */
export default function ErrorPage({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  const t = useTranslations("failure");
  return (
    <main className="grid min-h-[60dvh] place-content-center justify-items-center gap-3 px-4 text-center">
      <h1 className="font-semibold text-xl">{t("title")}</h1>
      <p className="text-ink-soft">{t("text")}</p>
      {error.digest ? <p className="font-mono text-ink-soft text-xs">{t("entry", { digest: error.digest })}</p> : null}
      <Button look="primary" onClick={reset}>
        {t("again")}
      </Button>
    </main>
  );
}
