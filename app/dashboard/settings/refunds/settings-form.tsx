"use client";

import { useTranslations } from "next-intl";
import { toast } from "sonner";
import { saveSettings } from "@/app/dashboard/refunds/actions";
import { Button } from "@/components/ui/button";
import { Choice } from "@/components/ui/form/field";
import { Form } from "@/components/ui/form/form";
import { useForm } from "@/components/ui/form/form-state";
import { ProveAgain } from "@/components/ui/form/prove-again";
import { CLAIM_CHECKS, type ClaimCheck } from "@/lib/domain/refunds/refund";

interface RefundSettingsFormProps {
  claimCheck: ClaimCheck;
  networks: readonly { id: string; title: string; isAllowed: boolean }[];
  canChange: boolean;
}

/** Renders the settings for refunds. Read-only users see no button. */
export function RefundSettingsForm({ claimCheck, networks, canChange }: RefundSettingsFormProps) {
  const t = useTranslations("refundPages");
  const form = useForm(saveSettings, () => void toast.success(t("settings.saved")));
  return (
    <Form form={form} className="max-w-lg">
      <fieldset disabled={!canChange} className="grid min-w-0 gap-4">
        <fieldset className="grid min-w-0 gap-2">
          <legend className="mb-1.5 font-medium">{t("settings.check")}</legend>
          {CLAIM_CHECKS.map((check) => (
            <Choice
              key={check}
              type="radio"
              name="claimCheck"
              value={check}
              label={t(`settings.checks.${check}`)}
              defaultChecked={check === claimCheck}
            />
          ))}
        </fieldset>
        <fieldset className="grid min-w-0 gap-2" aria-describedby="refund-networks-hint">
          <legend className="mb-1.5 font-medium">{t("settings.networks")}</legend>
          {networks.map(({ id, title, isAllowed }) => (
            <Choice key={id} type="checkbox" name="networks" value={id} label={title} defaultChecked={isAllowed} />
          ))}
          <p id="refund-networks-hint" className="text-[0.8125rem] text-ink-soft">
            {t("settings.networksHint")}
          </p>
        </fieldset>
      </fieldset>
      {canChange ? (
        <>
          <ProveAgain />
          <div>
            <Button type="submit" look="primary" isBusy={form.isBusy}>
              {t("settings.save")}
            </Button>
          </div>
        </>
      ) : null}
    </Form>
  );
}
