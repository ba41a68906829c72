import { ExternalLink } from "lucide-react";
import { useTranslations } from "next-intl";
import { getTranslations } from "next-intl/server";
import { getContext } from "@/app/context";
import { CheckoutForm } from "@/app/dashboard/settings/checkout/checkout-form";
import { pageTitle } from "@/app/language/page-title";
import { requirePerson } from "@/app/session";
import { PageHead } from "@/components/dashboard/frame/page-head";
import { LANGUAGES } from "@/components/pay/messages/languages";
import { Button } from "@/components/ui/button";
import { findCheckoutSettings } from "@/db/queries/merchants/checkout-settings";
import { mayChange } from "@/lib/domain/keys/role";

export const generateMetadata = pageTitle("checkout");

export default async function CheckoutPage() {
  const person = await requirePerson();
  const t = await getTranslations("checkout");
  const settings = await findCheckoutSettings(getContext().pool.db, person.merchantId);
  const known = {
    shownName: settings?.shownName ?? "",
    accent: settings?.accent ?? "",
    supportUrl: settings?.supportUrl?.replace(/^mailto:/, "") ?? "",
    frameParents: settings?.frameParents.join("\n") ?? "",
    languages: settings?.languages.join(" ") ?? "",
    logoUrl: settings?.logoUrl ?? "",
  };
  return (
    <>
      <PageHead
        title={t("title")}
        hint={t("hint")}
        action={
          <div className="flex flex-wrap gap-2">
            <PreviewLink state="waiting" text={t("preview")} />
            <PreviewLink state="paid" text={t("previewReceipt")} />
          </div>
        }
      />
      <CheckoutForm
        key={settings?.version ?? 0}
        known={known}
        languages={LANGUAGES.map(({ lang, name }) => ({ lang, name }))}
        logo={settings?.logo ?? null}
        merchantName={person.merchantName}
        canChange={mayChange(person.role)}
      />
    </>
  );
}

/**
 * Renders a link to the preview, in a new tab. The preview is outside the back office, so it is loaded as a document.
 */
function PreviewLink({ state, text }: { state: string; text: string }) {
  const t = useTranslations("checkout");
  return (
    <Button asChild>
      <a href={`/dashboard/settings/checkout/preview?state=${state}`} target="_blank" rel="noreferrer">
        {text}
        <ExternalLink aria-hidden />
        <span className="sr-only">{t("newTab")}</span>
      </a>
    </Button>
  );
}
