import { cookies, headers } from "next/headers";
import type { Messages } from "next-intl";
import { getRequestConfig } from "next-intl/server";
import { MESSAGES } from "@/components/messages/all";
import { LANGUAGE_COOKIE, languageFor } from "@/components/messages/languages";

/** The language of a request, for next-intl. URLs do not contain it. */
export default getRequestConfig(async () => {
  const chosen = (await cookies()).get(LANGUAGE_COOKIE)?.value;
  const locale = languageFor(chosen, (await headers()).get("accept-language"));
  return { locale, messages: MESSAGES[locale] as Messages, timeZone: "UTC" };
});
