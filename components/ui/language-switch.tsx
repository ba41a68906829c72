"use client";

import { Languages } from "lucide-react";
import { useLocale, useTranslations } from "next-intl";
import { useTransition } from "react";
import { LANGUAGES } from "@/components/messages/languages";

/** Renders the language menu: the browser's native list behind an icon. It works with the keyboard, on phones and with screen readers. */
export function LanguageSwitch({ action }: { action(form: FormData): Promise<void> }) {
  const t = useTranslations("ui");
  const locale = useLocale();
  const [isBusy, startTransition] = useTransition();
  const choose = (language: string) => {
    const form = new FormData();
    form.set("language", language);
    startTransition(() => action(form));
  };
  return (
    <span className="relative grid size-8 place-items-center rounded-lg text-ink-soft focus-within:outline-2 focus-within:outline-accent hover:bg-sunken hover:text-ink">
      <Languages aria-hidden className="size-4" />
      <select
        aria-label={t("language")}
        title={t("language")}
        value={locale}
        disabled={isBusy}
        onChange={(event) => choose(event.currentTarget.value)}
        className="absolute inset-0 cursor-pointer appearance-none opacity-0"
      >
        {LANGUAGES.map(({ id, tag, name }) => (
          <option key={id} value={id} lang={tag} className="bg-surface text-ink">
            {name}
          </option>
        ))}
      </select>
    </span>
  );
}
