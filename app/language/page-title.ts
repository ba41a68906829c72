import type { Metadata } from "next";
import type { Messages } from "next-intl";
import { getTranslations } from "next-intl/server";

/** Returns a `generateMetadata` that sets a page's title in the user's language. */
export function pageTitle(key: keyof Messages["titles"]): () => Promise<Metadata> {
  return async () => ({ title: (await getTranslations("titles"))(key) });
}
