"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { toast } from "sonner";
import { close } from "@/app/dashboard/installation/actions";
import { OrderLinks } from "@/app/dashboard/installation/order-links";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { TextField } from "@/components/ui/form/field";
import { Form } from "@/components/ui/form/form";
import { useForm } from "@/components/ui/form/form-state";
import { ProveAgain } from "@/components/ui/form/prove-again";
import type { OpenOnNetwork } from "@/lib/domain/networks/closure";

interface CloseNetworkProps {
  id: string;
  name: string;
  open: OpenOnNetwork;
}

/**
 * Renders the dialog that closes a network, after the operator saw its confirming orders, gave a reason and confirmed
 * their identity.
 */
export function CloseNetwork({ id, name, open }: CloseNetworkProps) {
  const t = useTranslations("closing");
  const router = useRouter();
  const [isOpen, setOpen] = useState(false);
  const form = useForm(close, () => {
    setOpen(false);
    toast.success(t("done", { network: name }));
    router.refresh();
  });
  return (
    <>
      <Button size="small" onClick={() => setOpen(true)} aria-label={`${t("close")}: ${name}`}>
        {t("close")}
      </Button>
      <Dialog isOpen={isOpen} onOpenChange={setOpen} title={t("closeTitle", { network: name })} hint={t("closeHint")}>
        <Form form={form}>
          <input type="hidden" name="network" value={id} />
          <div className="grid gap-2">
            <p>{t("listTitle", { count: open.confirmingCount })}</p>
            {open.confirmingCount > 0 ? <OrderLinks open={open} /> : null}
          </div>
          <TextField
            label={t("reason")}
            name="reason"
            autoComplete="off"
            hint={t("reasonHint")}
            error={form.errorOf("reason")}
          />
          <ProveAgain />
          <DialogActions>
            <Button onClick={() => setOpen(false)}>{t("cancel")}</Button>
            <Button type="submit" look="danger" isBusy={form.isBusy}>
              {t("close")}
            </Button>
          </DialogActions>
        </Form>
      </Dialog>
    </>
  );
}
