import type { Context } from "@/app/context";
import { answerAway, answerBusy, languageFor, languageHeaders } from "@/app/payer-page";
import { LANGUAGE_COOKIE, languageFor as officeLanguageFor } from "@/components/messages/languages";
import { refusedPage } from "@/components/pay/page/document";
import { payerRefusalOf } from "@/lib/domain/checkout/refusal";
import type { AppError } from "@/lib/errors";
import type { ApiCall } from "@/lib/http/api-call";
import type { IntegrationContext } from "@/lib/http/integration-routes";
import { httpStatusOf } from "@/lib/http/problem-status";
import { retryHeaders } from "@/lib/http/public-problem";
import type { Reply } from "@/lib/http/reply";

const CHOSEN = new RegExp(`(?:^|; )${LANGUAGE_COOKIE}=(\\w+)`);
const BUSY = 10_005;
const RETRY_SECONDS = 5;

/** Returns the services of the web process for the requests of integrations. */
export function integrationContext({ api, visitors, pages }: Context): IntegrationContext {
  return {
    api,
    visitors,
    refusalPage: (call, failure, requestId) => answerRefused(pages, call, failure, requestId),
    officeLanguage(call) {
      const chosen = CHOSEN.exec(call.header("cookie") ?? "")?.[1];
      return officeLanguageFor(chosen, call.header("accept-language"));
    },
  };
}

/** Returns the page for a payer who got no order. A reload would repeat a form, so the page reloads only after a GET request. */
async function answerRefused(
  pages: Context["pages"],
  call: ApiCall,
  failure: AppError,
  requestId: string,
): Promise<Reply> {
  const refusal = payerRefusalOf(failure.problem.code);
  const isTemporary = refusal === "temporary";
  const seconds = secondsOf(failure);
  if (isTemporary && call.method === "GET")
    return failure.code === BUSY ? answerBusy(pages, call, seconds) : answerAway(pages, call);
  const t = languageFor(call, null);
  const retry = isTemporary ? retryHeaders(seconds) : {};
  const headers = { ...failure.headers, ...retry, ...languageHeaders(t) };
  return pages.answer(call, null, () => refusedPage(t, refusal, requestId), { status: httpStatusOf(failure), headers });
}

function secondsOf({ retryAfterSeconds, problem }: AppError): number {
  const { seconds } = problem.params;
  return retryAfterSeconds ?? (typeof seconds === "number" ? seconds : RETRY_SECONDS);
}
