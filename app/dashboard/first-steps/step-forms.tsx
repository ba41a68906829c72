"use client";

import { useTranslations } from "next-intl";
import { toast } from "sonner";
import { saveContact, settle } from "@/app/dashboard/first-steps/actions";
import { Button } from "@/components/ui/button";
import { TextField } from "@/components/ui/form/field";
import { Form } from "@/components/ui/form/form";
import { useForm } from "@/components/ui/form/form-state";
import { ProveAgain } from "@/components/ui/form/prove-again";
import type { SettledStep } from "@/lib/domain/onboarding/first-steps";

/** Renders the form for the contact that payment pages show. */
export function ContactForm() {
  const t = useTranslations("stepForms");
  const form = useForm(saveContact, () => void toast.success(t("contactSaved")));
  return (
    <Form form={form}>
      <div className="grid max-w-sm gap-3">
        <TextField
          label={t("contact")}
          hint={t("contactHint")}
          name="supportUrl"
          autoComplete="off"
          placeholder="help@shop.example.com"
          error={form.errorOf("supportUrl")}
          required
        />
        <ProveAgain />
        <Button type="submit" look="primary" size="small" isBusy={form.isBusy} className="justify-self-start">
          {t("saveContact")}
        </Button>
      </div>
    </Form>
  );
}

/** Renders the button that marks a step as done, or skips it. */
export function SettleButton({ step }: { step: SettledStep }) {
  const t = useTranslations("stepForms");
  const form = useForm(settle, () => undefined);
  return (
    <Form form={form}>
      <input type="hidden" name="step" value={step} />
      <Button type="submit" size="small" isBusy={form.isBusy}>
        {t(`settle.${step}`)}
      </Button>
    </Form>
  );
}
