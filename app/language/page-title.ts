import type { Metadata } from "next";
import type { Messages } from "next-intl";
import { getTranslations } from "next-intl/server";

/** What a page exports as generateMetadata: its title, in the language of the person. */
export function pageTitle(key: keyof Messages["titles"]): () => Promise<Metadata> {
  return async () => ({ title: (await getTranslations("titles"))(key) });
}
