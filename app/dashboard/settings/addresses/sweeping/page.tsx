import { getTranslations } from "next-intl/server";
import { SendCall } from "@/app/dashboard/settings/addresses/receivers/send-call";
import { ReadSweepable } from "@/app/dashboard/settings/addresses/sweeping/read-sweepable";
import { pageTitle } from "@/app/language/page-title";
import { officeContext, requirePerson } from "@/app/session";
import { PageHead } from "@/components/dashboard/frame/page-head";
import { SweepCard } from "@/components/dashboard/receivers/sweep-card";
import { Card } from "@/components/ui/card";
import { Notice } from "@/components/ui/notice";
import { Refresher } from "@/components/ui/refresher";
import { listSweepable } from "@/lib/receivers/sweeping";
import { findWalletChain } from "@/lib/receivers/wallet-chains";

export const generateMetadata = pageTitle("sweeping");

const PATH = "/dashboard/settings/addresses/sweeping";
const REFRESH_MS = 5_000;

export default async function SweepingPage() {
  const person = await requirePerson();
  const { env, pool, now } = await officeContext();
  const [t, list] = await Promise.all([getTranslations("receivers"), getTranslations("addresses")]);
  const found = await listSweepable(pool.db, env, new Set(env.rpcUrls.keys()), person.merchantId);
  const cards = found.map(async (one) => {
    const chain = await findWalletChain(pool.db, env, one.network);
    const file = `${PATH}/file?${new URLSearchParams({ network: one.network, source: one.sourceId })}`;
    const actions = one.batches.map((batch) => <SendCall key={batch.data} call={batch} chain={chain} />);
    return <SweepCard key={one.network + one.sourceId} {...one} now={now()} file={file} actions={actions} />;
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
        <Notice tone="warn">{t("unaudited")}</Notice>
        {found.length > 0 ? await Promise.all(cards) : <Card title={t("sweeping.none")}>{t("sweeping.noneHint")}</Card>}
      </div>
    </>
  );
}
