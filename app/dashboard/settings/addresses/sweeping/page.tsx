import { useTranslations } from "next-intl";
import { getLocale, getTranslations } from "next-intl/server";
import { getContext } from "@/app/context";
import { SendCall } from "@/app/dashboard/settings/addresses/receivers/send-call";
import { ReadSweepable } from "@/app/dashboard/settings/addresses/sweeping/read-sweepable";
import { pageTitle } from "@/app/language/page-title";
import { requirePerson } from "@/app/session";
import { PageHead } from "@/components/dashboard/frame/page-head";
import { SweepCard } from "@/components/dashboard/receivers/sweep-card";
import { MinAmountForm, TargetForm } from "@/components/dashboard/receivers/sweep-forms";
import { problemMessage } from "@/components/messages/problem-message";
import { Card } from "@/components/ui/card";
import { Notice } from "@/components/ui/notice";
import { Refresher } from "@/components/ui/refresher";
import { getNetwork } from "@/lib/domain/networks";
import { listSweepable, parseMinAmount, readingStates, validateTarget } from "@/lib/receivers/sweeping";
import { findWalletChain } from "@/lib/receivers/wallet-chains";

export const generateMetadata = pageTitle("sweeping");

const PATH = "/dashboard/settings/addresses/sweeping";
const REFRESH_MS = 5_000;

interface SweepingProps {
  searchParams: Promise<{ min?: string; source?: string; network?: string; to?: string }>;
}

export default async function SweepingPage({ searchParams }: SweepingProps) {
  const person = await requirePerson();
  const { env, pool, now } = getContext();
  const asked = await searchParams;
  const [t, list, language] = await Promise.all([
    getTranslations("receivers"),
    getTranslations("addresses"),
    getLocale(),
  ]);
  const isOn = new Set(env.rpcUrls.keys());
  const minText = asked.min?.trim() ?? "";
  const min = parseMinAmount(minText);
  const found = await listSweepable(pool.db, env, isOn, person.merchantId, min ?? 0n);
  const readings = await readingStates(pool.db, isOn, person.merchantId);
  const cards = found.map(async (one) => {
    const chain = one.batches.length > 0 ? await findWalletChain(pool.db, env, one.network) : null;
    const sweep = {
      network: one.network,
      source: one.sourceId,
      ...(minText && min !== null && { min: minText }),
    };
    const actions = one.batches.map((batch) =>
      chain ? <SendCall key={batch.data} call={batch} chain={chain} /> : null,
    );
    const isAsked = asked.network === one.network && asked.source === one.sourceId;
    const typed = isAsked ? (asked.to ?? null) : null;
    const read =
      typed === null ? null : await validateTarget(pool.db, person.merchantId, getNetwork(one.network), typed);
    const target =
      one.kind === "xpub" ? (
        <TargetForm
          {...{ path: PATH, sweep, typed: typed ?? "" }}
          problem={read && "problem" in read ? await problemMessage(language, read.problem) : undefined}
          file={read && "to" in read ? `${PATH}/file?${new URLSearchParams({ ...sweep, to: typed ?? "" })}` : null}
        />
      ) : null;
    const file = `${PATH}/file?${new URLSearchParams(sweep)}`;
    return <SweepCard key={one.network + one.sourceId} sweep={one} {...{ now: now(), file, actions, target }} />;
  });
  return (
    <>
      <Refresher everyMs={REFRESH_MS} />
      <PageHead
        back={{ href: "/dashboard/settings/addresses", text: list("title") }}
        title={t("sweeping.title")}
        hint={t("sweeping.hint")}
        action={<ReadSweepable />}
      />
      <div className="grid grid-cols-1 gap-4">
        {found.some(({ kind }) => kind === "receiver") ? <Notice tone="warn">{t("unaudited")}</Notice> : null}
        {readings.map((reading) => (
          <Reading key={reading.network} {...reading} />
        ))}
        {found.length > 0 ? <MinAmountForm path={PATH} typed={minText} isInvalid={min === null} /> : null}
        {found.length > 0 ? await Promise.all(cards) : <Card title={t("sweeping.none")}>{t("sweeping.noneHint")}</Card>}
      </div>
    </>
  );
}

/** Renders the number of balances on a network that are still to be read, and the number that could not be read. */
function Reading({ network, due, failed }: Awaited<ReturnType<typeof readingStates>>[number]) {
  const t = useTranslations("receivers");
  const { name } = getNetwork(network);
  return (
    <div className="grid grid-cols-1 gap-2" role="status">
      {due > 0 ? <p className="text-ink-soft">{t("sweeping.reading", { network: name, count: due })}</p> : null}
      {failed > 0 ? <Notice tone="warn">{t("sweeping.unread", { network: name, count: failed })}</Notice> : null}
    </div>
  );
}
