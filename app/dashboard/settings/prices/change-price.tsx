"use client";

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
  /** As a person would type them; empty: none. */
  markUp: string;
  fixedRate: string;
}

const NEW: Price = { fiat: "", mode: "market", markUp: "", fixedRate: "" };
const MODES = [
  { value: "market", text: "The market's rate" },
  { value: "markup", text: "The market's rate with a mark-up" },
  { value: "fixed", text: "A fixed rate" },
];

/** The button that sets how prices in a currency are counted, and its window. Without a price it adds a currency. */
export function ChangePrice({ price }: { price?: Price }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        onClick={() => setOpen(true)}
        {...(price ? { "aria-label": `Change prices in ${price.fiat}` } : { look: "primary" })}
      >
        {price ? "Change" : "Add currency"}
      </Button>
      <Dialog
        isOpen={isOpen}
        onOpenChange={setOpen}
        title={price ? `Prices in ${price.fiat}` : "Add a currency"}
        hint="It counts for new orders. Orders that were made keep their rate."
      >
        <PriceForm price={price ?? NEW} onDone={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

function PriceForm({ price, onDone }: { price: Price; onDone(): void }) {
  const [mode, setMode] = useState(price.mode);
  const form = useForm(setPrice, () => {
    toast.success("The prices are saved");
    onDone();
  });
  return (
    <Form form={form}>
      {price.fiat ? (
        <input type="hidden" name="fiat" value={price.fiat} />
      ) : (
        <TextField label="Currency" name="fiat" autoComplete="off" placeholder="EUR" error={form.errorOf("fiat")} />
      )}
      <SelectField
        label="Counted by"
        name="mode"
        options={MODES}
        value={mode}
        onChange={(event) => setMode(event.currentTarget.value)}
        error={form.errorOf("mode")}
      />
      {mode === "markup" ? (
        <TextField
          label="Mark-up in percent"
          name="markUp"
          inputMode="decimal"
          autoComplete="off"
          defaultValue={price.markUp}
          hint="1.5 makes the payer pay 1.5 % more than the market asks for."
          error={form.errorOf("markUp")}
        />
      ) : null}
      <TextField
        label={mode === "fixed" ? "What one token costs" : "What one token costs while there is no rate"}
        name="fixedRate"
        inputMode="decimal"
        autoComplete="off"
        defaultValue={price.fixedRate}
        hint={mode === "fixed" ? "USDT and USDC alike." : "Leave it empty to take no orders then."}
        error={form.errorOf("fixedRate")}
      />
      <ProveAgain />
      <DialogActions>
        <Button onClick={onDone}>Cancel</Button>
        <Button type="submit" look="primary" isBusy={form.isBusy}>
          Save
        </Button>
      </DialogActions>
    </Form>
  );
}

/** The button that sets how many decimals amounts have, and its window. */
export function ChangeDecimals({ decimals }: { decimals: number }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)} aria-label="Change decimals of amounts">
        Change
      </Button>
      <Dialog isOpen={isOpen} onOpenChange={setOpen} title="Decimals of amounts">
        <DecimalsForm decimals={decimals} onDone={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

function DecimalsForm({ decimals, onDone }: { decimals: number; onDone(): void }) {
  const form = useForm(setDecimals, () => {
    toast.success("The decimals are saved");
    onDone();
  });
  return (
    <Form form={form}>
      <SelectField
        label="Decimals"
        name="decimals"
        defaultValue={String(decimals)}
        options={["0", "1", "2", "3", "4", "5", "6"].map((text) => ({ value: text, text }))}
        hint="What a price comes to is raised to so many decimals, never lowered."
        error={form.errorOf("decimals")}
      />
      <ProveAgain />
      <DialogActions>
        <Button onClick={onDone}>Cancel</Button>
        <Button type="submit" look="primary" isBusy={form.isBusy}>
          Save
        </Button>
      </DialogActions>
    </Form>
  );
}
