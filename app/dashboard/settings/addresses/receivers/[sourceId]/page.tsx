import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { getContext } from "@/app/context";
import { SendCall } from "@/app/dashboard/settings/addresses/receivers/send-call";
import { TryNetwork } from "@/app/dashboard/settings/addresses/receivers/try-network";
import { pageTitle } from "@/app/language/page-title";
import { requirePerson } from "@/app/session";
import { PageHead } from "@/components/dashboard/frame/page-head";
import type { SentCall } from "@/components/dashboard/receivers/call-details";
import { TrialCard } from "@/components/dashboard/receivers/trial-card";
import { Card } from "@/components/ui/card";
import { Identifier } from "@/components/ui/identifier";
import { Notice } from "@/components/ui/notice";
import { Refresher } from "@/components/ui/refresher";
import { displayAddress } from "@/lib/domain/addresses/address";
import { DEPLOYMENT_PROXY, FACTORY_DEPLOYMENT, RECEIVER_FACTORY, sweepCalldata } from "@/lib/domain/addresses/receiver";
import { mayChange } from "@/lib/domain/keys/role";
import { getNetwork } from "@/lib/domain/networks";
import { findTreasury, type ShownTrial } from "@/lib/receivers/treasuries";
import { findWalletChain } from "@/lib/receivers/wallet-chains";

export const generateMetadata = pageTitle("receivers");

const REFRESH_MS = 4_000;
const LOOKING = new Set(["asked", "missing", "waiting", "arrived", "swept"]);

export default async function ReceiversPage({ params }: { params: Promise<{ sourceId: string }> }) {
  const person = await requirePerson();
  const { env, pool } = getContext();
  const [t, list] = await Promise.all([getTranslations("receivers"), getTranslations("addresses")]);
  const { sourceId } = await params;
  const asked = { merchantId: person.merchantId, id: sourceId, networks: [...env.rpcUrls.keys()] };
  const treasury = await findTreasury(pool.db, env, asked);
  if (!treasury) notFound();
  const head = { back: { href: "/dashboard/settings/addresses", text: list("title") }, title: t("title") };
  if (treasury === "sealed")
    return (
      <>
        <PageHead {...head} />
        <Notice tone="bad" isAlert>
          {t("sealed")}
        </Notice>
      </>
    );
  const canChange = mayChange(person.role);
  const address = treasury.treasury;
  const actionFor = async ({ network, state }: ShownTrial, call: SentCall | null) => {
    if (call) return <SendCall call={call} chain={await findWalletChain(pool.db, env, network)} />;
    if (!canChange || (state !== "never" && state !== "forgotten")) return null;
    const text = state === "never" ? t("begin", { network: getNetwork(network).name }) : t("again");
    return <TryNetwork id={treasury.id} network={network} text={text} />;
  };
  const cards = treasury.trials.map(async (trial) => {
    const call = callOf(trial, address);
    return <TrialCard key={trial.network} {...trial} call={call} action={await actionFor(trial, call)} />;
  });
  return (
    <>
      {treasury.trials.some(({ state }) => LOOKING.has(state)) ? <Refresher everyMs={REFRESH_MS} /> : null}
      <PageHead {...head} hint={t("hint")} />
      <div className="grid gap-4">
        <Notice tone="warn">{t("unaudited")}</Notice>
        <Card title={treasury.label || t("unnamed")}>
          <dl className="grid gap-3">
            <Fact name={t("treasury")} address={address} />
            <Fact name={t("receiver")} address={treasury.receiver} hint={t("receiverHint")} />
          </dl>
        </Card>
        {await Promise.all(cards)}
      </div>
    </>
  );
}

function Fact({ name, address, hint }: { name: string; address: string; hint?: string }) {
  return (
    <div>
      <dt className="text-[0.8125rem] text-ink-soft">{name}</dt>
      <dd>
        <Identifier text={displayAddress("evm", address)} what={name} />
        {hint ? <p className="text-[0.8125rem] text-ink-soft">{hint}</p> : null}
      </dd>
    </div>
  );
}

/** Returns the next transaction to send; null if there is none, or if this page cannot send it. */
function callOf({ state, arrival }: ShownTrial, treasury: string): SentCall | null {
  if (state === "missing") return { to: displayAddress("evm", DEPLOYMENT_PROXY), data: FACTORY_DEPLOYMENT };
  if (state !== "arrived" || !arrival) return null;
  return { to: displayAddress("evm", RECEIVER_FACTORY), data: sweepCalldata(treasury, [0], [arrival.token]) };
}
