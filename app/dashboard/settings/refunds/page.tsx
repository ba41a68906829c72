import { getTranslations } from "next-intl/server";
import { getContext } from "@/app/context";
import { RefundSettingsForm } from "@/app/dashboard/settings/refunds/settings-form";
import { pageTitle } from "@/app/language/page-title";
import { requirePerson } from "@/app/session";
import { PageHead } from "@/components/dashboard/frame/page-head";
import { Card } from "@/components/ui/card";
import { findRefundSettings } from "@/db/queries/refunds/refund-requests";
import { mayChange } from "@/lib/domain/keys/role";
import { allNetworks, isOffered, networkTitle } from "@/lib/domain/networks";

export const generateMetadata = pageTitle("refundSettings");

export default async function RefundSettingsPage() {
  const { merchantId, role } = await requirePerson();
  const t = await getTranslations("refundPages");
  const { env, pool } = getContext();
  const { claimCheck, networks } = await findRefundSettings(pool.db, merchantId);
  const offered = allNetworks().filter((network) => env.rpcUrls.has(network.id) && isOffered(network));
  return (
    <>
      <PageHead title={t("title")} hint={t("settings.hint")} />
      <Card>
        <RefundSettingsForm
          claimCheck={claimCheck}
          networks={offered.map((network) => ({
            id: network.id,
            title: networkTitle(network),
            isAllowed: networks.includes(network.id),
          }))}
          canChange={mayChange(role)}
        />
      </Card>
    </>
  );
}
