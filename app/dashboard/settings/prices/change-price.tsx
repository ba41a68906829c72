"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { toast } from "sonner";
import { setDecimals, setPrice } from "@/app/dashboard/settings/prices/actions";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { SelectField, TextField } from "@/components/ui/form/field";
import { Form } from "@/components/ui/form/form";
import { useForm } from "@/components/ui/form/form-state";
import { ProveAgain } from "@/components/ui/form/prove-again";

interface Price {
  fiat: string;
  mode: string;
  /** The markup in the form in which a user types it; empty if there is none. The same applies to `fixedRate`. */
  markUp: string;
  fixedRate: string;
}

const NEW: Price = { fiat: "", mode: "market", markUp: "", fixedRate: "" };
const MODES = ["market", "markup", "fixed"] as const;

/** Renders the button that sets the conversion of prices in a currency, and its dialog. Without `price`, the dialog adds a currency. */
export function ChangePrice({ price }: { price?: Price }) {
  const t = useTranslations("prices");
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        onClick={() => setOpen(true)}
        {...(price ? { "aria-label": t("changeIn", { currency: price.fiat }) } : { look: "primary" })}
      >
        {price ? t("change") : t("add")}
      </Button>
      <Dialog
        isOpen={isOpen}
        onOpenChange={setOpen}
        title={price ? t("pricesIn", { currency: price.fiat }) : t("addTitle")}
        hint={t("changeHint")}
      >
        <PriceForm price={price ?? NEW} onDone={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

function PriceForm({ price, onDone }: { price: Price; onDone(): void }) {
  const t = useTranslations("prices");
  const [mode, setMode] = useState(price.mode);
  const form = useForm(setPrice, () => {
    toast.success(t("saved"));
    onDone();
  });
  return (
    <Form form={form}>
      {price.fiat ? (
        <input type="hidden" name="fiat" value={price.fiat} />
      ) : (
        <TextField
          label={t("currency")}
          name="fiat"
          autoComplete="off"
          placeholder="EUR"
          error={form.errorOf("fiat")}
        />
      )}
      <SelectField
        label={t("countedBy")}
        name="mode"
        options={MODES.map((value) => ({ value, text: t(value) }))}
        value={mode}
        onChange={(event) => setMode(event.currentTarget.value)}
        error={form.errorOf("mode")}
      />
      {mode === "markup" ? (
        <TextField
          label={t("markUp")}
          name="markUp"
          inputMode="decimal"
          autoComplete="off"
          defaultValue={price.markUp}
          hint={t("markUpHint")}
          error={form.errorOf("markUp")}
        />
      ) : null}
      <TextField
        label={mode === "fixed" ? t("tokenCost") : t("tokenCostElse")}
        name="fixedRate"
        inputMode="decimal"
        autoComplete="off"
        defaultValue={price.fixedRate}
        hint={mode === "fixed" ? t("alike") : t("leaveEmpty")}
        error={form.errorOf("fixedRate")}
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

/** Renders the button that sets the number of decimals of amounts, and its dialog. */
export function ChangeDecimals({ decimals }: { decimals: number }) {
  const t = useTranslations("prices");
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)} aria-label={t("changeDecimals")}>
        {t("change")}
      </Button>
      <Dialog isOpen={isOpen} onOpenChange={setOpen} title={t("decimalsOf")}>
        <DecimalsForm decimals={decimals} onDone={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

function DecimalsForm({ decimals, onDone }: { decimals: number; onDone(): void }) {
  const t = useTranslations("prices");
  const form = useForm(setDecimals, () => {
    toast.success(t("decimalsSaved"));
    onDone();
  });
  return (
    <Form form={form}>
      <SelectField
        label={t("decimals")}
        name="decimals"
        defaultValue={String(decimals)}
        options={["0", "1", "2", "3", "4", "5", "6"].map((text) => ({ value: text, text }))}
        hint={t("decimalsHint")}
        error={form.errorOf("decimals")}
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
