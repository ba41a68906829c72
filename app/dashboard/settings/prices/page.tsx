import { Coins } from "lucide-react";
import { getLocale, getTranslations } from "next-intl/server";
import { getContext } from "@/app/context";
import { ChangeDecimals, ChangePrice } from "@/app/dashboard/settings/prices/change-price";
import { pageTitle } from "@/app/language/page-title";
import { requirePerson } from "@/app/session";
import { PageHead } from "@/components/dashboard/frame/page-head";
import { type PriceLine, PriceTable, SourcePanel } from "@/components/dashboard/prices/panels";
import type { LanguageId } from "@/components/messages/languages";
import { messageOrNull, problemMessage } from "@/components/messages/problem-message";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { findPriceDecimals, listRateSources } from "@/db/queries/rates/rates";
import { mayChange } from "@/lib/domain/keys/role";
import { formatRate } from "@/lib/domain/rates/price";
import type { RateSource } from "@/lib/domain/rates/sources";
import { listPrices, type PresentRate, type PriceRow } from "@/lib/merchants/prices";

export const generateMetadata = pageTitle("prices");

export default async function PricesPage() {
  const person = await requirePerson();
  const t = await getTranslations("prices");
  const { env, pool, now } = getContext();
  const time = now();
  const [prices, states, decimals] = await Promise.all([
    listPrices(pool.db, env.rateSources, person.merchantId, time),
    listRateSources(pool.db),
    findPriceDecimals(pool.db, person.merchantId),
  ]);
  const canChange = mayChange(person.role);
  const language = await getLocale();
  const lines = (await describePrices(language, prices)).map((price) => ({
    ...price,
    fixedRate: price.fixedRate === null ? null : formatRate(price.fixedRate),
  }));
  const sources = await describeSources(language, env.rateSources, states);
  return (
    <>
      <PageHead title={t("title")} hint={t("hint")} action={canChange ? <ChangePrice /> : null} />
      <Card isFlush>
        {lines.length > 0 ? (
          <PriceTable prices={lines} now={time} actionFor={canChange ? actionFor : () => null} />
        ) : (
          <EmptyState Icon={Coins} title={t("empty")}>
            <p>{t("emptyHint")}</p>
          </EmptyState>
        )}
      </Card>
      <Card title={t("amounts")} className="mt-4">
        <div className="flex items-center justify-between gap-4">
          <p>{t("decimalsNow", { count: decimals })}</p>
          {canChange ? <ChangeDecimals decimals={decimals} /> : null}
        </div>
      </Card>
      <SourcePanel sources={sources} now={time} />
    </>
  );
}

/** Returns the rate sources with their state and failure reasons, in the user's language. */
function describeSources(
  language: LanguageId,
  sources: readonly RateSource[],
  states: Awaited<ReturnType<typeof listRateSources>>,
) {
  return Promise.all(
    sources.map(async ({ id, isOff = false }) => {
      const known = states.find(({ source }) => source === id);
      const { answeredAt = null, failure = null, warning = null } = known ?? {};
      return { id, isOff, answeredAt, failure: await messageOrNull(language, failure), warning };
    }),
  );
}

/** Returns prices, with the reason if a rate is missing, in the user's language. */
function describePrices(language: LanguageId, prices: readonly PriceRow[]) {
  const rateText = async (rate: PresentRate) =>
    "problem" in rate ? { ...rate, problem: await problemMessage(language, rate.problem) } : rate;
  return Promise.all(prices.map(async (price) => ({ ...price, rates: await Promise.all(price.rates.map(rateText)) })));
}

function actionFor({ fiat, mode, markUpBasisPoints, fixedRate }: PriceLine) {
  const markUp = markUpBasisPoints === 0 ? "" : String(markUpBasisPoints / 100);
  return <ChangePrice price={{ fiat, mode, markUp, fixedRate: fixedRate ?? "" }} />;
}
