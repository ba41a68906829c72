import { Store } from "lucide-react";
import Link from "next/link";
import { redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { getContext } from "@/app/context";
import { pageTitle } from "@/app/language/page-title";
import { currentPerson } from "@/app/session";
import { SignOut } from "@/components/dashboard/frame/sign-out";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { mayMakeShop } from "@/lib/people/shops";

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
        {mayMakeShop(person, getContext().env) ? (
          <Button asChild look="primary" className="justify-self-center">
            <Link href="/new-shop">{t("newShop")}</Link>
          </Button>
        ) : null}
        <SignOut />
      </EmptyState>
    </Card>
  );
}
