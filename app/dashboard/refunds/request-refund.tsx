"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { toast } from "sonner";
import { requestRefund } from "@/app/dashboard/refunds/actions";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { Choice, TextField } from "@/components/ui/form/field";
import { Form } from "@/components/ui/form/form";
import { useForm } from "@/components/ui/form/form-state";
import { ProveAgain } from "@/components/ui/form/prove-again";
import { MAX_REFUND_REASON, REFUND_EXPIRES_IN } from "@/lib/domain/refunds/refund";

interface RequestRefundProps {
  /** The order, or the transfer that credits no order. */
  subject: { orderId: string } | { transferId: string };
  /** The amount that is entered at first, as a decimal string; empty for everything that is left. */
  amount: string;
  /** The amount that is left, with its currency. */
  left: string;
  /** The fiat currency of the order; null if it has no fiat price. */
  fiat: string | null;
  /** True if the customer's email address is required. */
  needsEmail: boolean;
  /** True for the excess of an overpaid order. */
  isExcess?: boolean;
}

/** Renders the button that requests a refund, and its dialog. The page of the new refund follows, with the link for the customer. */
export function RequestRefund(props: RequestRefundProps) {
  const t = useTranslations("refundPages");
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button size="small" onClick={() => setOpen(true)}>
        {t(props.isExcess ? "request.excess" : "request.button")}
      </Button>
      <Dialog isOpen={isOpen} onOpenChange={setOpen} title={t("request.title")} hint={t("request.hint")}>
        <RequestForm {...props} onDone={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

function RequestForm({ subject, amount, left, fiat, needsEmail, onDone }: RequestRefundProps & { onDone(): void }) {
  const t = useTranslations("refundPages");
  const router = useRouter();
  const form = useForm(requestRefund, ({ id }) => {
    toast.success(t("request.done"));
    onDone();
    router.push(`/dashboard/refunds/${id}`);
  });
  return (
    <Form form={form}>
      {Object.entries(subject).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <TextField
        label={t("amount")}
        hint={t("request.amountHint", { left })}
        name="amount"
        inputMode="decimal"
        autoComplete="off"
        defaultValue={amount}
        error={form.errorOf("amount")}
      />
      {fiat ? <Choice type="checkbox" name="isFiat" value="yes" label={t("request.inFiat", { fiat })} /> : null}
      <TextField
        label={t("reason")}
        hint={t("request.reasonHint")}
        name="reason"
        maxLength={MAX_REFUND_REASON}
        autoComplete="off"
        error={form.errorOf("reason")}
      />
      <TextField
        label={t("email")}
        hint={t(needsEmail ? "request.emailNeeded" : "request.emailHint")}
        name="email"
        type="email"
        autoComplete="off"
        required={needsEmail}
        error={form.errorOf("email")}
      />
      <TextField
        label={t("request.days")}
        name="days"
        inputMode="numeric"
        autoComplete="off"
        defaultValue={String(REFUND_EXPIRES_IN.usual / 86_400)}
        error={form.errorOf("days")}
      />
      <ProveAgain />
      <DialogActions>
        <Button onClick={onDone}>{t("back")}</Button>
        <Button type="submit" look="primary" isBusy={form.isBusy}>
          {t("request.button")}
        </Button>
      </DialogActions>
    </Form>
  );
}
