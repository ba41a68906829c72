"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { toast } from "sonner";
import { unlink } from "@/app/dashboard/transfers/actions";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { TextField } from "@/components/ui/form/field";
import { Form } from "@/components/ui/form/form";
import { useForm } from "@/components/ui/form/form-state";

interface UnlinkProps {
  transferId: string;
  orderId: string;
}

/** Renders the button that unlinks a transfer from an order that is not paid, after the user gave a reason. */
export function UnlinkButton(props: UnlinkProps) {
  const t = useTranslations("unlink");
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button size="small" onClick={() => setOpen(true)}>
        {t("unlink")}
      </Button>
      <Dialog isOpen={isOpen} onOpenChange={setOpen} title={t("title")} hint={t("hint")}>
        <UnlinkForm {...props} onDone={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

function UnlinkForm({ transferId, orderId, onDone }: UnlinkProps & { onDone(): void }) {
  const t = useTranslations("unlink");
  const form = useForm(unlink, () => {
    toast.success(t("done"));
    onDone();
  });
  return (
    <Form form={form}>
      <input type="hidden" name="transferId" value={transferId} />
      <input type="hidden" name="orderId" value={orderId} />
      <TextField
        label={t("reason")}
        name="reason"
        autoComplete="off"
        placeholder={t("reasonExample")}
        hint={t("reasonHint")}
        error={form.errorOf("reason")}
      />
      <DialogActions>
        <Button onClick={onDone}>{t("back")}</Button>
        <Button type="submit" look="danger" isBusy={form.isBusy}>
          {t("unlink")}
        </Button>
      </DialogActions>
    </Form>
  );
}
