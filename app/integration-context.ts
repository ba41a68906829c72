import type { Context } from "@/app/context";
import { answerBusy } from "@/app/payer-page";
import { LANGUAGE_COOKIE, languageFor } from "@/components/messages/languages";
import { chooseLanguage } from "@/components/pay/messages/languages";
import { refusedPage } from "@/components/pay/page/document";
import type { IntegrationContext } from "@/lib/http/integration-routes";
import { httpStatusOf } from "@/lib/http/problem-status";

const CHOSEN = new RegExp(`(?:^|; )${LANGUAGE_COOKIE}=(\\w+)`);

/** Returns the services of the web process for the requests of integrations. */
export function integrationContext({ api, visitors, pages }: Context): IntegrationContext {
  return {
    api,
    visitors,
    busyPage: (call, seconds) => answerBusy(pages, call, seconds),
    async refusalPage(call, failure) {
      const t = chooseLanguage({ chosen: null, locale: null, accepted: call.header("accept-language") }, []);
      const headers = { "content-language": t.lang, vary: "accept-encoding, accept-language" };
      return pages.answer(call, null, () => refusedPage(t, failure.message), {
        status: httpStatusOf(failure),
        headers,
      });
    },
    officeLanguage(call) {
      const chosen = CHOSEN.exec(call.header("cookie") ?? "")?.[1];
      return languageFor(chosen, call.header("accept-language"));
    },
  };
}
