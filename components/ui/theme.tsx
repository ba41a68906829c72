"use client";

import { Monitor, Moon, Sun } from "lucide-react";
import { useTranslations } from "next-intl";
import { ThemeProvider as NextThemes, useTheme } from "next-themes";
import { type ReactNode, useEffect, useState } from "react";
import { Toaster as Sonner } from "sonner";
import { Button } from "@/components/ui/button";

/**
 * Sets the light or dark theme before the first paint, based on the device setting or the user's choice. Its script contains the page's
 * nonce.
 */
export function ThemeProvider({ nonce, children }: { nonce: string | undefined; children: ReactNode }) {
  return (
    <NextThemes
      {...(nonce ? { nonce } : {})}
      attribute="class"
      defaultTheme="system"
      enableSystem
      disableTransitionOnChange
    >
      {children}
    </NextThemes>
  );
}

const CHOICES = { system: Monitor, light: Sun, dark: Moon } as const;
const NEXT = { system: "light", light: "dark", dark: "system" } as const;
const isChoice = (theme: string | undefined): theme is keyof typeof CHOICES => theme !== undefined && theme in CHOICES;

/** Renders the button that switches the theme, in this order: device setting, light, dark. */
export function ThemeToggle() {
  const t = useTranslations("ui");
  const { theme, setTheme } = useTheme();
  const [isMounted, setMounted] = useState(false);
  useEffect(() => setMounted(true), []);
  const chosen = isMounted && isChoice(theme) ? theme : "system";
  const Icon = CHOICES[chosen];
  return (
    <Button
      look="quiet"
      size="icon"
      onClick={() => setTheme(NEXT[chosen])}
      aria-label={t("changeColours", { chosen: t(chosen), next: t(NEXT[chosen]) })}
      title={t("colours", { chosen: t(chosen) })}
    >
      <Icon aria-hidden />
    </Button>
  );
}

/** Renders the container of toasts. */
export function Toaster() {
  // Sonner restores the previous focus on blur, which would interrupt keyboard navigation.
  const { resolvedTheme } = useTheme();
  return (
    <div onBlurCapture={(event) => event.stopPropagation()}>
      <Sonner
        theme={resolvedTheme === "dark" ? "dark" : "light"}
        position="bottom-right"
        closeButton
        toastOptions={{ className: "bg-surface! text-ink! border-line!" }}
      />
    </div>
  );
}
