"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { toast } from "sonner";
import { closePaymentLink } from "@/app/dashboard/links/actions";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { Form } from "@/components/ui/form/form";
import { useForm } from "@/components/ui/form/form-state";

/** Renders the button that closes a payment link, and the dialog that asks for confirmation. */
export function CloseLink({ linkId }: { linkId: string }) {
  const t = useTranslations("linkPages");
  const [isOpen, setOpen] = useState(false);
  const form = useForm(closePaymentLink, () => {
    toast.success(t("close.done"));
    setOpen(false);
  });
  return (
    <>
      <Button onClick={() => setOpen(true)}>{t("close.button")}</Button>
      <Dialog isOpen={isOpen} onOpenChange={setOpen} title={t("close.title")} hint={t("close.hint")}>
        <Form form={form}>
          <input type="hidden" name="linkId" value={linkId} />
          <DialogActions>
            <Button onClick={() => setOpen(false)}>{t("back")}</Button>
            <Button type="submit" look="danger" isBusy={form.isBusy}>
              {t("close.button")}
            </Button>
          </DialogActions>
        </Form>
      </Dialog>
    </>
  );
}
