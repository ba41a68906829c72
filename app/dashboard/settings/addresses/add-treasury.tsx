"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { toast } from "sonner";
import { addReceiverTreasury } from "@/app/dashboard/settings/addresses/receivers/actions";
import { Button } from "@/components/ui/button";
import { DialogActions } from "@/components/ui/dialog";
import { Choice, TextField } from "@/components/ui/form/field";
import { Form } from "@/components/ui/form/form";
import { useForm } from "@/components/ui/form/form-state";
import { ProveAgain } from "@/components/ui/form/prove-again";
import { Notice } from "@/components/ui/notice";
import { secretProblem } from "@/lib/domain/addresses/secret-forms";

/** Renders the form that adds a treasury for receivers. */
export function TreasuryForm({ defaultMax, onDone }: { defaultMax: number; onDone(): void }) {
  const t = useTranslations("receivers");
  const addresses = useTranslations("addresses");
  const [isSecret, setSecret] = useState(false);
  const form = useForm(addReceiverTreasury, () => {
    toast.success(t("addDone"));
    onDone();
  });
  const plain = { isMono: true, autoComplete: "off", spellCheck: false } as const;
  return (
    <Form form={form}>
      <Notice tone="warn">{t("unaudited")}</Notice>
      {/* Input that looks like a secret has no name, so that no browser sends it. */}
      <TextField
        label={t("treasury")}
        hint={t("treasuryHint")}
        {...(isSecret ? {} : { name: "address" })}
        {...plain}
        onChange={(event) => setSecret(secretProblem(event.target.value) !== null)}
        error={isSecret ? t("looksSecret") : form.errorOf("address")}
      />
      <TextField
        label={addresses("again")}
        hint={addresses("againHint")}
        {...(isSecret ? {} : { name: "again" })}
        {...plain}
        error={form.errorOf("again")}
      />
      <TextField label={addresses("labelOptional")} name="label" autoComplete="off" error={form.errorOf("label")} />
      <TextField
        label={addresses("max")}
        hint={addresses("maxHint")}
        name="max"
        inputMode="numeric"
        autoComplete="off"
        defaultValue={String(defaultMax)}
        error={form.errorOf("max")}
      />
      <Choice type="checkbox" name="knowsUnaudited" value="true" required label={t("knowsUnaudited")} />
      {form.errorOf("knowsUnaudited") ? (
        <p className="text-[0.8125rem] text-bad">{form.errorOf("knowsUnaudited")}</p>
      ) : null}
      <ProveAgain />
      <DialogActions>
        <Button onClick={onDone}>{addresses("cancel")}</Button>
        <Button type="submit" look="primary" isBusy={form.isBusy} disabled={isSecret}>
          {t("add")}
        </Button>
      </DialogActions>
    </Form>
  );
}
