"use client";

import { useTranslations } from "next-intl";
import { toast } from "sonner";
import { saveOrderTerms } from "@/app/dashboard/settings/orders/actions";
import { Button } from "@/components/ui/button";
import { Choice, TextField } from "@/components/ui/form/field";
import { Form } from "@/components/ui/form/form";
import { useForm } from "@/components/ui/form/form-state";
import { ProveAgain } from "@/components/ui/form/prove-again";
import { TERMS } from "@/lib/domain/orders/terms";

const FIELDS = {
  time: ["expiresIn", "lateWindow"],
  amounts: ["minAmount", "maxAmount"],
  money: ["tolerancePercent", "toleranceAmount", "settledHold"],
  keeping: ["unpaidDays"],
} as const;

type FieldName = (typeof FIELDS)[keyof typeof FIELDS][number];

const WHOLE: ReadonlySet<FieldName> = new Set(["expiresIn", "lateWindow", "settledHold", "unpaidDays"]);

interface OrderTermsFormProps {
  /** The values in the form in which users type them: minutes, hours, amounts; an empty string if not set. */
  known: Readonly<Record<FieldName | "linksShortPayments", string>>;
  /** The payment methods that can be offered. `isOffered` is true if a method is currently offered. */
  methods: readonly { name: string; text: string; isOffered: boolean }[];
  /** The number of days after which the installation deletes unpaid orders; null if it never deletes them. */
  installationDays: number | null;
  canChange: boolean;
}

/** Renders the defaults and limits of new orders. Read-only users see no button. */
export function OrderTermsForm({ known, methods, installationDays, canChange }: OrderTermsFormProps) {
  const t = useTranslations("orderTerms");
  const form = useForm(saveOrderTerms, () => void toast.success(t("saved")));
  const hints: Readonly<Record<FieldName, string>> = {
    expiresIn: t("expiresInHint", TERMS.minutes),
    lateWindow: t("lateWindowHint", TERMS.hours),
    minAmount: t("minAmountHint"),
    maxAmount: t("maxAmountHint"),
    tolerancePercent: t("tolerancePercentHint", TERMS.percent),
    toleranceAmount: t("toleranceAmountHint"),
    settledHold: t("settledHoldHint", TERMS.holdMinutes),
    unpaidDays: `${t("unpaidDaysHint", TERMS.unpaidDays)} ${installationDays === null ? t("keptForEver") : t("keptByInstallation", { days: installationDays })}`,
  };
  const fields = (names: readonly FieldName[]) =>
    names.map((name) => (
      <TextField
        key={name}
        label={t(name)}
        name={name}
        inputMode={WHOLE.has(name) ? "numeric" : "decimal"}
        autoComplete="off"
        defaultValue={known[name]}
        hint={hints[name]}
        error={form.errorOf(name)}
      />
    ));
  return (
    <Form form={form} className="max-w-lg">
      <fieldset disabled={!canChange} className="grid min-w-0 gap-4">
        {fields(FIELDS.time)}
        <h2 className="mt-2 font-semibold">{t("amounts")}</h2>
        {fields(FIELDS.amounts)}
        <OfferedMethods methods={methods} error={form.errorOf("offered")} />
        <h2 className="mt-2 font-semibold">{t("money")}</h2>
        {fields(FIELDS.money)}
        <Choice
          type="checkbox"
          name="linksShortPayments"
          value="true"
          label={t("linksShortPayments")}
          hint={t("linksShortPaymentsHint")}
          defaultChecked={known.linksShortPayments === "true"}
        />
        <h2 className="mt-2 font-semibold">{t("keeping")}</h2>
        {fields(FIELDS.keeping)}
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

/** Renders the payment methods as checkboxes. */
function OfferedMethods({ methods, error }: Pick<OrderTermsFormProps, "methods"> & { error: string | undefined }) {
  const t = useTranslations("orderTerms");
  return (
    <fieldset className="grid min-w-0 gap-2" aria-describedby="offered-hint">
      <legend className="mb-1.5 font-medium">{t("offered")}</legend>
      {methods.map(({ name, text, isOffered }) => (
        <div key={name}>
          <input type="hidden" name="listed" value={name} />
          <Choice type="checkbox" name="offered" value={name} label={text} defaultChecked={isOffered} />
        </div>
      ))}
      {error ? <p className="text-[0.8125rem] text-bad">{error}</p> : null}
      <p id="offered-hint" className="text-[0.8125rem] text-ink-soft">
        {t(methods.length > 0 ? "offeredHint" : "noneListed")}
      </p>
    </fieldset>
  );
}
