"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { toast } from "sonner";
import { switchOn } from "@/app/dashboard/settings/plugins/actions";
import { IssuedKey } from "@/app/dashboard/settings/plugins/issued-key";
import { ProtocolForm } from "@/app/dashboard/settings/plugins/protocol-form";
import { PriceCurrencyField } from "@/components/dashboard/plugins/price-currency-field";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Notice } from "@/components/ui/notice";
import type { IntegrationView } from "@/lib/domain/integrations/integration";
import type { IssuedPluginKey } from "@/lib/plugins/plugin-settings";

interface SwitchOnProps {
  integration: IntegrationView;
  /** The URL that shops enter, without a trailing slash. */
  url: string;
  /** True if the integration was enabled before and has an active key. */
  isKnown: boolean;
  /** True if it cannot be enabled now; the page shows the reason. */
  isDisabled: boolean;
  /** The price currency that is selected initially; null: tokens; undefined: none. */
  fiat: string | null | undefined;
}

/**
 * Renders the button that enables an integration, and its dialog: first the price currency and a warning if its
 * signatures are weak, then the key if one was issued.
 */
export function SwitchOn({ integration, url, isKnown, isDisabled, fiat }: SwitchOnProps) {
  const t = useTranslations("plugins");
  const protocol = integration.name;
  const { terms } = integration;
  const names = { url: terms.url, id: terms.id, key: terms.key };
  const [isOpen, setOpen] = useState(false);
  const [issued, setIssued] = useState<IssuedPluginKey | null>(null);
  const router = useRouter();
  const close = () => {
    if (issued) router.refresh();
    setOpen(false);
    setIssued(null);
  };
  const finish = (ok: { issued: IssuedPluginKey | null }) => {
    if (ok.issued) return setIssued(ok.issued);
    toast.success(t("switchedOn", { protocol }));
    close();
  };
  const what = t("switchOnWhat", { protocol });
  return (
    <>
      <Button look="primary" aria-label={what} disabled={isDisabled} onClick={() => setOpen(true)}>
        {t("switchOn")}
      </Button>
      <Dialog
        isOpen={isOpen}
        onOpenChange={(next) => (next ? setOpen(true) : close())}
        isHeld={issued !== null}
        title={issued ? t("yours", { protocol }) : what}
        hint={issued ? undefined : isKnown ? t("switchOnAgain", names) : t("switchOnHint", names)}
      >
        {issued ? (
          <IssuedKey material={{ integration, url, ...issued }} onDone={close} />
        ) : (
          <ProtocolForm
            integration={integration.id}
            action={switchOn}
            submit={t("switchOn")}
            onDone={finish}
            onCancel={close}
          >
            {(errorOf) => (
              <>
                {integration.hasPriceCurrency ? <PriceCurrencyField fiat={fiat} error={errorOf("fiat")} /> : null}
                {integration.isWeaklySigned ? <Notice tone="warn">{t("weak", { key: terms.key })}</Notice> : null}
              </>
            )}
          </ProtocolForm>
        )}
      </Dialog>
    </>
  );
}
