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
import { listInstalledShops } from "@/db/queries/users/installation";
import { mayMakeShop } from "@/lib/users/shops";

export const generateMetadata = pageTitle("noShop");

/** Renders the page for a user who is not a member of any shop. */
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
      {person.isOperator ? <Shops /> : null}
    </Card>
  );
}

const MAX_SHOWN = 50;

/** Renders the shops of the installation for an operator who is not a member of any of them. */
async function Shops() {
  const { pool, now } = getContext();
  const t = await getTranslations("installation");
  const shops = await listInstalledShops(pool.db, "", MAX_SHOWN, now());
  return (
    <section aria-labelledby="shops" className="mt-4 border-line border-t pt-4">
      <h2 id="shops" className="font-semibold">
        {t("title")}
      </h2>
      <p className="mb-3 text-ink-soft">{t("hint")}</p>
      <ul className="divide-y divide-line">
        {shops.map((shop) => (
          <li key={shop.id} className="grid gap-0.5 py-2">
            <span className="font-medium [overflow-wrap:anywhere]">{shop.name}</span>
            <span className="text-ink-soft [overflow-wrap:anywhere]">{shop.owners.join(", ") || t("none")}</span>
            <span className="text-[0.8125rem] text-ink-soft">
              {t("counts", { people: shop.people, orders: shop.orders, unmatched: shop.unmatched })}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
