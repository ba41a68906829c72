import { Store } from "lucide-react";
import { redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { pageTitle } from "@/app/language/page-title";
import { currentPerson } from "@/app/session";
import { SignOut } from "@/components/dashboard/frame/sign-out";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";

export const generateMetadata = pageTitle("noShop");

/** Where a person lands who belongs to no shop, or to none any more. */
export default async function NoShopPage() {
  const person = (await currentPerson()) ?? redirect("/login");
  if (person.shop) redirect("/dashboard");
  const t = await getTranslations("noShop");
  return (
    <Card>
      <EmptyState Icon={Store} title={t("title")}>
        <p>{t("text", { email: person.user.email })}</p>
        <SignOut />
      </EmptyState>
    </Card>
  );
}
