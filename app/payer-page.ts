import type { Context } from "@/app/context";
import type { Messages } from "@/components/pay/messages/en";
import { chooseLanguage } from "@/components/pay/messages/languages";
import { awayPage, busyPage } from "@/components/pay/page/document";
import { AppError } from "@/lib/errors";
import type { ApiCall } from "@/lib/http/api-call";
import { httpStatusOf } from "@/lib/http/problem-status";
import { retryHeaders } from "@/lib/http/public-problem";
import type { Reply } from "@/lib/http/reply";

const FRAGMENT = "text/vnd.stablegate.fragment+html";
const RETRY_SECONDS = 5;

/**
 * Responds to a request for a payer's page. Clients above the view limit receive a page that reloads itself after a delay. If rendering
 * fails, the response is an error page that reloads itself.
 */
export async function answerPayer(
  { log, visitors, pages, now }: Pick<Context, "log" | "visitors" | "pages" | "now">,
  call: ApiCall,
  /** The log fields that identify the subject of the request. */
  about: Record<string, string>,
  work: () => Promise<Reply>,
  /** The number of views that the request counts as; defaults to one. */
  cost?: number,
): Promise<Reply> {
  const wait = visitors.view(call, now(), cost);
  if (wait > 0) return answerBusy(pages, call, wait);
  try {
    return await work();
  } catch (error) {
    log.error({ err: error, ...about }, "a payment page could not be rendered");
    return answerAway(pages, call);
  }
}

/**
 * Handles a submitted form. If the request body is too large or cannot be read, responds with the page for the status that says so.
 * @param work reads the body and handles the form
 */
export async function answerForm(
  work: () => Promise<Reply>,
  refuse: (status: number) => Promise<Reply>,
): Promise<Reply> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError && error.code === 10001) return refuse(httpStatusOf(error));
    throw error;
  }
}

/** Returns the page for a payer while orders cannot be read: it reloads after a few seconds. */
export function answerAway(pages: Context["pages"], call: ApiCall): Promise<Reply> {
  const t = languageFor(call, null);
  const headers = { ...retryHeaders(RETRY_SECONDS), ...languageHeaders(t) };
  return pages.answer(call, `away ${t.lang}`, () => awayPage(t), { status: 503, headers });
}

/** Returns the page for a payer above the view limit: it reloads after `seconds`. */
export function answerBusy(pages: Context["pages"], call: ApiCall, seconds: number): Promise<Reply> {
  const t = languageFor(call, null);
  const headers = { ...retryHeaders(seconds), ...languageHeaders(t) };
  return pages.answer(call, `busy ${seconds} ${t.lang}`, () => busyPage(t, seconds), { status: 429, headers });
}

/** Returns true if only the page's `<main>` is requested. */
export function isFragment(call: ApiCall): boolean {
  return call.header("accept")?.includes(FRAGMENT) || queryOf(call).get("fragment") === "1";
}

/**
 * Returns the messages in the payer's language. `locale` is the order's, or null; `offered` are the merchant's language
 * tags, empty for all.
 */
export function languageFor(call: ApiCall, locale: string | null, offered: readonly string[] = []): Messages {
  const accepted = call.header("accept-language");
  return chooseLanguage({ chosen: queryOf(call).get("lang"), locale, accepted }, offered);
}

/** Returns the headers that describe the language of a response. */
export function languageHeaders({ lang }: Messages): Record<string, string> {
  return { "content-language": lang, vary: "accept, accept-encoding, accept-language" };
}

/** Returns the query parameters of a request. */
export function queryOf({ target }: Pick<ApiCall, "target">): URLSearchParams {
  return new URLSearchParams(target.split("?")[1] ?? "");
}
