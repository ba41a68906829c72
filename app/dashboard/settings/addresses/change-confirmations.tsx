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
  /** Name of the network, for people. */
  name: string;
  /** What holds now, as a person would type it. */
  typed: string;
  /** What the network asks for, and what may be typed. */
  hint: string;
}

/** The button that changes how many confirmations a network's payments need, and its window. */
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
