"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { toast } from "sonner";
import { refund } from "@/app/dashboard/transfers/actions";
import { Button } from "@/components/ui/button";
import { TextField } from "@/components/ui/form/field";
import { Form } from "@/components/ui/form/form";
import { useForm } from "@/components/ui/form/form-state";

/** Renders the form that records the transaction with which a transfer was refunded. */
export function RefundForm({ transferId }: { transferId: string }) {
  const t = useTranslations("refunds");
  const [typed, setTyped] = useState("");
  const form = useForm(refund, () => {
    toast.success(t("noted"));
    setTyped("");
  });
  return (
    <Form form={form}>
      <input type="hidden" name="transferId" value={transferId} />
      <div className="grid gap-3">
        <TextField
          label={t("field")}
          hint={t("fieldHint")}
          name="txId"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          error={form.errorOf("txId")}
          autoComplete="off"
          spellCheck={false}
          required
          isMono
        />
        <Button type="submit" isBusy={form.isBusy} className="justify-self-start">
          {t("note")}
        </Button>
      </div>
    </Form>
  );
}

/** Renders the button that repeats the lookup of a refund that was rejected or not found. */
export function LookAgain({ transferId, txId }: { transferId: string; txId: string }) {
  const t = useTranslations("refunds");
  const form = useForm(refund, () => toast.success(t("noted")));
  return (
    <Form form={form}>
      <input type="hidden" name="transferId" value={transferId} />
      <input type="hidden" name="txId" value={txId} />
      <Button type="submit" size="small" isBusy={form.isBusy}>
        {t("again")}
      </Button>
    </Form>
  );
}
