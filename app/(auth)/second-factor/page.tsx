import { redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { getContext } from "@/app/context";
import { FactorCards } from "@/app/dashboard/settings/security/factor-cards";
import { pageTitle } from "@/app/language/page-title";
import { currentPerson } from "@/app/session";
import { SignOut } from "@/components/dashboard/frame/sign-out";
import { FormScope } from "@/components/ui/form/form-state";
import { Notice } from "@/components/ui/notice";
import { lacksFactor } from "@/lib/users/session";

export const generateMetadata = pageTitle("secondFactor");

/** Renders the page for a user without a second factor in a shop that requires one. */
export default async function SecondFactorPage() {
  const person = (await currentPerson()) ?? redirect("/login");
  if (!person.shop || !lacksFactor(person)) redirect("/dashboard");
  const t = await getTranslations("auth");
  const { now } = getContext();
  return (
    <FormScope value={{ shop: person.shop.id }}>
      <div className="grid gap-4">
        <h1 className="font-semibold text-xl tracking-tight">{t("factorNeeded")}</h1>
        <Notice tone="info">{t("factorNeededHint", { shop: person.shop.name })}</Notice>
        <FactorCards totpSince={null} recoveryCodes={0} passkeys={[]} now={now()} />
        <SignOut />
      </div>
    </FormScope>
  );
}
