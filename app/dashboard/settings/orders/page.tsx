import { getTranslations } from "next-intl/server";
import { getContext } from "@/app/context";
import { OrderTermsForm } from "@/app/dashboard/settings/orders/terms-form";
import { pageTitle } from "@/app/language/page-title";
import { requirePerson } from "@/app/session";
import { PageHead } from "@/components/dashboard/frame/page-head";
import { Card } from "@/components/ui/card";
import { findOrderTerms } from "@/db/queries/merchants/merchants";
import { listAddressedNetworks } from "@/db/queries/merchants/networks";
import { mayChange } from "@/lib/domain/keys/role";
import { getNetwork } from "@/lib/domain/networks";
import { methodName, toTermsForm } from "@/lib/domain/orders/terms";
import { methodsOn } from "@/lib/merchants/payment-methods";

export const generateMetadata = pageTitle("orderTerms");

export default async function OrderTermsPage() {
  const { merchantId, role } = await requirePerson();
  const t = await getTranslations("orderTerms");
  const { env, pool, now } = getContext();
  const terms = await findOrderTerms(pool.db, merchantId);
  const addressed = await listAddressedNetworks(pool.db, merchantId, now());
  const all = methodsOn(
    addressed.map((one) => ({ ...one, isOpen: true, offMethods: [] })),
    env,
  );
  const methods = all.flatMap(({ network, currencies }) =>
    currencies.map((currency) => {
      const name = methodName({ network, currency });
      return { name, text: `${currency} · ${getNetwork(network).name}`, isOffered: !terms?.offMethods.includes(name) };
    }),
  );
  return (
    <>
      <PageHead title={t("title")} hint={t("hint")} />
      <Card>
        {terms ? (
          <OrderTermsForm
            known={toTermsForm(terms)}
            methods={methods}
            installationDays={env.retentionDays}
            canChange={mayChange(role)}
          />
        ) : null}
      </Card>
    </>
  );
}
