import "@/app/globals.css";
import type { Metadata, Viewport } from "next";
import { headers } from "next/headers";
import { getLocale, getTranslations } from "next-intl/server";
import type { ReactNode } from "react";
import { ClientMessages } from "@/app/client-messages";
import { LANGUAGES } from "@/components/messages/languages";
import { ThemeProvider, Toaster } from "@/components/ui/theme";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("titles");
  return {
    title: { default: "Stablegate", template: "%s · Stablegate" },
    description: t("description"),
    robots: { index: false, follow: false },
  };
}

export const viewport: Viewport = { width: "device-width", initialScale: 1 };

/** Settings and sessions are read at request time, so that nothing is rendered at build time. */
export const dynamic = "force-dynamic";

export default async function RootLayout({ children }: { children: ReactNode }) {
  const locale = await getLocale();
  const nonce = (await headers()).get("x-nonce") ?? undefined;
  const tag = LANGUAGES.find(({ id }) => id === locale)?.tag;
  return (
    <html lang={tag} suppressHydrationWarning>
      <body className="font-sans">
        <ThemeProvider nonce={nonce}>
          <ClientMessages of="everywhere">
            {children}
            <Toaster />
          </ClientMessages>
        </ThemeProvider>
      </body>
    </html>
  );
}
