"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { toast } from "sonner";
import { reopen } from "@/app/dashboard/installation/actions";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { Form } from "@/components/ui/form/form";
import { useForm } from "@/components/ui/form/form-state";
import { ProveAgain } from "@/components/ui/form/prove-again";

/** Renders the dialog that reopens a network after the operator confirmed their identity. */
export function ReopenNetwork({ id, name }: { id: string; name: string }) {
  const t = useTranslations("closing");
  const router = useRouter();
  const [isOpen, setOpen] = useState(false);
  const form = useForm(reopen, () => {
    setOpen(false);
    toast.success(t("reopened", { network: name }));
    router.refresh();
  });
  return (
    <>
      <Button size="small" onClick={() => setOpen(true)} aria-label={`${t("reopen")}: ${name}`}>
        {t("reopen")}
      </Button>
      <Dialog isOpen={isOpen} onOpenChange={setOpen} title={t("reopenTitle", { network: name })} hint={t("reopenHint")}>
        <Form form={form}>
          <input type="hidden" name="network" value={id} />
          <ProveAgain />
          <DialogActions>
            <Button onClick={() => setOpen(false)}>{t("cancel")}</Button>
            <Button type="submit" look="primary" isBusy={form.isBusy}>
              {t("reopen")}
            </Button>
          </DialogActions>
        </Form>
      </Dialog>
    </>
  );
}
