import { getTranslations } from "next-intl/server";
import { getContext } from "@/app/context";
import { OrderTermsForm } from "@/app/dashboard/settings/orders/terms-form";
import { pageTitle } from "@/app/language/page-title";
import { requirePerson } from "@/app/session";
import { PageHead } from "@/components/dashboard/frame/page-head";
import { Card } from "@/components/ui/card";
import { findOrderTerms } from "@/db/queries/merchants/merchants";
import { mayChange } from "@/lib/domain/keys/role";
import { toTermsForm } from "@/lib/domain/orders/terms";

export const generateMetadata = pageTitle("orderTerms");

export default async function OrderTermsPage() {
  const { merchantId, role } = await requirePerson();
  const t = await getTranslations("orderTerms");
  const terms = await findOrderTerms(getContext().pool.db, merchantId);
  return (
    <>
      <PageHead title={t("title")} hint={t("hint")} />
      <Card>{terms ? <OrderTermsForm known={toTermsForm(terms)} canChange={mayChange(role)} /> : null}</Card>
    </>
  );
}
