import { en } from "@/components/messages/en";
import { es } from "@/components/messages/es";
import type { LanguageId } from "@/components/messages/languages";
import { ru } from "@/components/messages/ru";
import { zh } from "@/components/messages/zh";

/** The messages of the back office in every language. */
export const MESSAGES = { en, zh, es, ru } satisfies Record<LanguageId, unknown>;
