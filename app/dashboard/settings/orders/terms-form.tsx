"use client";

import { useTranslations } from "next-intl";
import { toast } from "sonner";
import { saveOrderTerms } from "@/app/dashboard/settings/orders/actions";
import { Button } from "@/components/ui/button";
import { TextField } from "@/components/ui/form/field";
import { Form } from "@/components/ui/form/form";
import { useForm } from "@/components/ui/form/form-state";
import { ProveAgain } from "@/components/ui/form/prove-again";
import { TERMS } from "@/lib/domain/orders/terms";

interface OrderTermsFormProps {
  /** Minutes and hours, as they are typed. */
  known: { expiresIn: string; lateWindow: string };
  canChange: boolean;
}

/** How long orders wait; who may only look sees it without a button. */
export function OrderTermsForm({ known, canChange }: OrderTermsFormProps) {
  const t = useTranslations("orderTerms");
  const form = useForm(saveOrderTerms, () => void toast.success(t("saved")));
  return (
    <Form form={form} className="max-w-lg">
      <fieldset disabled={!canChange} className="grid min-w-0 gap-4">
        <TextField
          label={t("expiresIn")}
          name="expiresIn"
          inputMode="numeric"
          autoComplete="off"
          defaultValue={known.expiresIn}
          hint={t("expiresInHint", { least: TERMS.minutes.least, most: TERMS.minutes.most })}
          error={form.errorOf("expiresIn")}
        />
        <TextField
          label={t("lateWindow")}
          name="lateWindow"
          inputMode="numeric"
          autoComplete="off"
          defaultValue={known.lateWindow}
          hint={t("lateWindowHint", { least: TERMS.hours.least, most: TERMS.hours.most })}
          error={form.errorOf("lateWindow")}
        />
      </fieldset>
      {canChange ? (
        <>
          <ProveAgain />
          <div>
            <Button type="submit" look="primary" isBusy={form.isBusy}>
              {t("save")}
            </Button>
          </div>
        </>
      ) : null}
    </Form>
  );
}
