import { getTranslations } from "next-intl/server";
import type { ReactNode } from "react";
import { chooseLanguage } from "@/app/language/actions";
import { ClientMessages } from "@/app/language/client-messages";
import { requirePerson } from "@/app/session";
import { Sidebar, TopBar } from "@/components/dashboard/frame/nav";
import { FormScope } from "@/components/ui/form/form-state";

export default async function DashboardLayout({ children }: { children: ReactNode }) {
  const person = await requirePerson();
  const who = { shop: person.merchantName, email: person.user.email, role: person.role, chooseLanguage };
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
          <FormScope value={{ shop: person.merchantId }}>{children}</FormScope>
        </main>
      </div>
    </ClientMessages>
  );
}
