import type { Messages as AllMessages, useTranslations } from "next-intl";
import type { en } from "@/components/messages/en";
import type { LanguageId } from "@/components/messages/languages";

declare module "next-intl" {
  interface AppConfig {
    Locale: LanguageId;
    Messages: typeof en;
  }
}

export type MessageNamespace = keyof AllMessages;

/** A function that returns the messages of one namespace in the user's language. */
export type Translate<Name extends MessageNamespace> = ReturnType<typeof useTranslations<Name>>;
