import { ExternalLink } from "lucide-react";
import type { Metadata } from "next";
import { getContext } from "@/app/context";
import { CheckoutForm } from "@/app/dashboard/settings/checkout/checkout-form";
import { requirePerson } from "@/app/session";
import { PageHead } from "@/components/dashboard/frame/page-head";
import { Button } from "@/components/ui/button";
import { findCheckoutSettings } from "@/db/queries/merchants/checkout-settings";
import { mayChange } from "@/lib/domain/keys/role";

export const metadata: Metadata = { title: "Checkout" };

export default async function CheckoutPage() {
  const person = await requirePerson();
  const settings = await findCheckoutSettings(getContext().pool.db, person.merchantId);
  const known = {
    shownName: settings?.shownName ?? "",
    accent: settings?.accent ?? "",
    supportUrl: settings?.supportUrl?.replace(/^mailto:/, "") ?? "",
    frameParents: settings?.frameParents.join("\n") ?? "",
    logoUrl: settings?.logoUrl ?? "",
  };
  return (
    <>
      <PageHead
        title="Checkout"
        hint="How your payment pages look to payers, and which of your sites may show them. Changes show at once, on open orders too."
        action={
          <div className="flex flex-wrap gap-2">
            <PreviewLink state="waiting" text="Preview" />
            <PreviewLink state="paid" text="Preview of the receipt" />
          </div>
        }
      />
      <CheckoutForm
        key={settings?.version ?? 0}
        known={known}
        logo={settings?.logo ?? null}
        merchantName={person.merchantName}
        canChange={mayChange(person.role)}
      />
    </>
  );
}

/** Opens beside the settings; the page is no part of the back office, so it is loaded whole. */
function PreviewLink({ state, text }: { state: string; text: string }) {
  return (
    <Button asChild>
      <a href={`/dashboard/settings/checkout/preview?state=${state}`} target="_blank" rel="noreferrer">
        {text}
        <ExternalLink aria-hidden />
        <span className="sr-only">(opens a new tab)</span>
      </a>
    </Button>
  );
}
