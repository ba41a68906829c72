"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { toast } from "sonner";
import { revokeKey } from "@/app/dashboard/settings/plugins/actions";
import { ProtocolForm } from "@/app/dashboard/settings/plugins/protocol-form";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import type { IntegrationView } from "@/lib/domain/integrations/integration";

interface RevokeKeyProps {
  integration: IntegrationView;
  id: string;
  /** The first characters of the key. */
  shown: string;
}

/** Renders the button that revokes a key immediately, and its dialog. */
export function RevokeKey({ integration, id, shown }: RevokeKeyProps) {
  const t = useTranslations("plugins");
  const { key } = integration.terms;
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  const finish = () => {
    toast.success(t("revoked", { key }));
    close();
  };
  const title = t("revokeKey", { key, shown: `${shown}…` });
  return (
    <>
      <Button size="small" look="quiet" aria-label={title} onClick={() => setOpen(true)}>
        {t("revoke")}
      </Button>
      <Dialog isOpen={isOpen} onOpenChange={setOpen} title={title} hint={t("revokeHint", { key })}>
        <ProtocolForm
          integration={integration.id}
          action={revokeKey}
          submit={t("revokeNow", { key })}
          isDangerous
          onDone={finish}
          onCancel={close}
        >
          {() => <input type="hidden" name="id" value={id} />}
        </ProtocolForm>
      </Dialog>
    </>
  );
}
