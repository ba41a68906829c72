"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { toast } from "sonner";
import { approve, cancel, reopen } from "@/app/dashboard/refunds/actions";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { Choice, TextField } from "@/components/ui/form/field";
import { Form } from "@/components/ui/form/form";
import { useForm } from "@/components/ui/form/form-state";
import { ProveAgain } from "@/components/ui/form/prove-again";
import type { Currency } from "@/lib/domain/networks";
import { MAX_REFUND_REASON } from "@/lib/domain/refunds/refund";

/** Declining is cancelling, before the merchant approved the claim. */
const ACTIONS = { approve, reopen, decline: cancel, cancel } as const;
export type Decision = keyof typeof ACTIONS;

interface DecideProps {
  refundId: string;
  /** The amount, the network and the address, as the merchant approves them. */
  payment: string;
  decisions: readonly Decision[];
  /** The currency whose token contract blocks the address; null if none does, as far as known. */
  listedBy: Currency | null;
}

/** Renders the buttons with which the merchant decides on a refund; each opens a dialog that asks for the password. */
export function DecideRefund({ refundId, payment, decisions, listedBy }: DecideProps) {
  const t = useTranslations("refundPages");
  const [open, setOpen] = useState<Decision | null>(null);
  return (
    <span className="flex flex-wrap gap-2">
      {decisions.map((decision) => (
        <Button
          key={decision}
          look={decision === "approve" ? "primary" : "secondary"}
          onClick={() => setOpen(decision)}
        >
          {t(`decide.${decision}.button`)}
        </Button>
      ))}
      {open ? (
        <Dialog
          isOpen
          onOpenChange={(isOpen) => setOpen(isOpen ? open : null)}
          title={t(`decide.${open}.title`)}
          hint={t(`decide.${open}.hint`, { payment })}
        >
          <DecisionForm refundId={refundId} decision={open} listedBy={listedBy} onDone={() => setOpen(null)} />
        </Dialog>
      ) : null}
    </span>
  );
}

interface DecisionFormProps extends Pick<DecideProps, "refundId" | "listedBy"> {
  decision: Decision;
  onDone(): void;
}

function DecisionForm({ refundId, decision, listedBy, onDone }: DecisionFormProps) {
  const t = useTranslations("refundPages");
  const form = useForm(ACTIONS[decision], () => {
    toast.success(t(`decide.${decision}.done`));
    onDone();
  });
  return (
    <Form form={form}>
      <input type="hidden" name="refundId" value={refundId} />
      {decision === "approve" && listedBy ? (
        <Choice
          type="checkbox"
          name="acceptsListed"
          value="yes"
          label={t("freeze.accept")}
          hint={t("freeze.acceptHint", { currency: listedBy })}
        />
      ) : null}
      {decision === "approve" ? null : (
        <TextField
          label={t("message")}
          hint={t("messageHint")}
          name="reason"
          maxLength={MAX_REFUND_REASON}
          autoComplete="off"
          error={form.errorOf("reason")}
        />
      )}
      <ProveAgain />
      <DialogActions>
        <Button onClick={onDone}>{t("back")}</Button>
        <Button
          type="submit"
          look={decision === "cancel" || decision === "decline" ? "danger" : "primary"}
          isBusy={form.isBusy}
        >
          {t(`decide.${decision}.button`)}
        </Button>
      </DialogActions>
    </Form>
  );
}
