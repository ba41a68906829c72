import type { Messages as AllMessages, useTranslations } from "next-intl";
import type { en } from "@/components/messages/en";
import type { LanguageId } from "@/components/messages/languages";

declare module "next-intl" {
  interface AppConfig {
    Locale: LanguageId;
    Messages: typeof en;
  }
}

export type Room = keyof AllMessages;

/** Says the messages of one room, in the language of the person. */
export type Translate<Name extends Room> = ReturnType<typeof useTranslations<Name>>;
