"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { toast } from "sonner";
import { changeConfirmations } from "@/app/dashboard/settings/addresses/actions";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { TextField } from "@/components/ui/form/field";
import { Form } from "@/components/ui/form/form";
import { useForm } from "@/components/ui/form/form-state";
import { ProveAgain } from "@/components/ui/form/prove-again";

interface ConfirmationsProps {
  network: string;
  /** The name of the network, for display. */
  name: string;
  /** The current setting, in the form in which a user types it. */
  typed: string;
  /** A hint that describes the network's own rule and the accepted input. */
  hint: string;
}

/** Renders the button that changes the confirmations of a network's payments, and its dialog. */
export function ChangeConfirmations(props: ConfirmationsProps) {
  const t = useTranslations("addresses");
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)} aria-label={t("changeOn", { network: props.name })}>
        {t("change")}
      </Button>
      <Dialog
        isOpen={isOpen}
        onOpenChange={setOpen}
        title={t("confirmationsOn", { network: props.name })}
        hint={t("changeHint")}
      >
        <ConfirmationsForm {...props} onDone={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

function ConfirmationsForm({ network, typed, hint, onDone }: ConfirmationsProps & { onDone(): void }) {
  const t = useTranslations("addresses");
  const form = useForm(changeConfirmations, () => {
    toast.success(t("changeDone"));
    onDone();
  });
  return (
    <Form form={form}>
      <input type="hidden" name="network" value={network} />
      <TextField
        label={t("atLeast")}
        name="confirmations"
        autoComplete="off"
        placeholder={t("asNetwork")}
        defaultValue={typed}
        hint={hint}
        error={form.errorOf("confirmations")}
      />
      <ProveAgain />
      <DialogActions>
        <Button onClick={onDone}>{t("cancel")}</Button>
        <Button type="submit" look="primary" isBusy={form.isBusy}>
          {t("save")}
        </Button>
      </DialogActions>
    </Form>
  );
}
