"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { toast } from "sonner";
import { switchOn } from "@/app/dashboard/settings/plugins/actions";
import { IssuedKey } from "@/app/dashboard/settings/plugins/issued-key";
import { ProtocolForm } from "@/app/dashboard/settings/plugins/protocol-form";
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
}

/**
 * Renders the button that enables an integration, and its dialog: first a warning if its signatures are weak, then the
 * key if one was issued.
 */
export function SwitchOn({ integration, url, isKnown }: SwitchOnProps) {
  const t = useTranslations("plugins");
  const protocol = integration.name;
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
      <Button look="primary" aria-label={what} onClick={() => setOpen(true)}>
        {t("switchOn")}
      </Button>
      <Dialog
        isOpen={isOpen}
        onOpenChange={(next) => (next ? setOpen(true) : close())}
        isHeld={issued !== null}
        title={issued ? t("yours", { protocol }) : what}
        hint={issued ? undefined : isKnown ? t("switchOnAgain") : t("switchOnHint")}
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
            {() => (integration.isWeaklySigned ? <Notice tone="warn">{t("weak")}</Notice> : null)}
          </ProtocolForm>
        )}
      </Dialog>
    </>
  );
}
