"use client";

import { useTranslations } from "next-intl";
import { toast } from "sonner";
import { addAddress } from "@/app/dashboard/settings/addresses/actions";
import { KindField, type NetworkChoice, NetworkField } from "@/app/dashboard/settings/addresses/address-fields";
import { Button } from "@/components/ui/button";
import { DialogActions } from "@/components/ui/dialog";
import { TextField } from "@/components/ui/form/field";
import { Form } from "@/components/ui/form/form";
import { useForm } from "@/components/ui/form/form-state";
import { ProveAgain } from "@/components/ui/form/prove-again";

/** Renders the form that adds a receiving address. */
export function AddressForm({ networks, onDone }: { networks: readonly NetworkChoice[]; onDone(): void }) {
  const t = useTranslations("addresses");
  const form = useForm(addAddress, () => {
    toast.success(t("addDone"));
    onDone();
  });
  return (
    <Form form={form}>
      <NetworkField networks={networks} error={form.errorOf("network")} />
      <AddressField label={t("address")} name="address" error={form.errorOf("address")} />
      <AddressField label={t("again")} name="again" hint={t("againHint")} error={form.errorOf("again")} />
      <KindField first="shared" />
      <TextField
        label={t("labelOptional")}
        name="label"
        autoComplete="off"
        placeholder={t("labelExample")}
        error={form.errorOf("label")}
      />
      <ProveAgain />
      <DialogActions>
        <Button onClick={onDone}>{t("cancel")}</Button>
        <Button type="submit" look="primary" isBusy={form.isBusy}>
          {t("addOne")}
        </Button>
      </DialogActions>
    </Form>
  );
}

interface AddressFieldProps {
  label: string;
  name: string;
  hint?: string;
  error: string | undefined;
}

function AddressField(props: AddressFieldProps) {
  return <TextField {...props} isMono autoComplete="off" spellCheck={false} />;
}
