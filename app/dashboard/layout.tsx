import { getTranslations } from "next-intl/server";
import type { ReactNode } from "react";
import { ClientMessages } from "@/app/client-messages";
import { getContext } from "@/app/context";
import { askOwnPasskey } from "@/app/dashboard/settings/security/actions";
import { switchShop } from "@/app/dashboard/shop-actions";
import { chooseLanguage } from "@/app/language/actions";
import { requirePerson } from "@/app/session";
import { Sidebar, TopBar } from "@/components/dashboard/frame/nav";
import { GoTo } from "@/components/dashboard/frame/search-dialog";
import { LiveScope } from "@/components/dashboard/live/use-live-rows";
import { FormScope, ProofScope } from "@/components/ui/form/form-state";
import { changedNetworks } from "@/lib/domain/networks";
import { mayMakeShop } from "@/lib/users/shops";

export default async function DashboardLayout({ children }: { children: ReactNode }) {
  const person = await requirePerson();
  const { merchantName: shop, merchantId: shopId, shops, isOperator, role, user } = person;
  const canCreateShops = mayMakeShop(person, getContext().env);
  const at = { shop, shopId, shops, isOperator, mayMakeShop: canCreateShops, switchShop };
  const who = { email: user.email, role, at, chooseLanguage };
  const { hasTotp, passkeys } = person.factors;
  const proof = { hasTotp, hasPasskey: passkeys > 0, isForPayments: person.asksFactor, askPasskey: askOwnPasskey };
  const t = await getTranslations("nav");
  return (
    <ClientMessages of="dashboard">
      <div className="lg:flex">
        <a
          href="#content"
          className="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50 focus:rounded-lg focus:bg-surface focus:px-3 focus:py-2"
        >
          {t("skip")}
        </a>
        <Sidebar {...who} />
        <TopBar {...who} />
        <main id="content" className="mx-auto w-full min-w-0 max-w-6xl px-4 pt-6 pb-16 sm:px-6 lg:px-8 lg:pt-8">
          <FormScope value={{ shop: person.merchantId }}>
            <LiveScope changed={changedNetworks()}>
              <ProofScope value={proof}>{children}</ProofScope>
              <GoTo shop={person.merchantId} />
            </LiveScope>
          </FormScope>
        </main>
      </div>
    </ClientMessages>
  );
}
