"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { toast } from "sonner";
import { assign } from "@/app/dashboard/transfers/actions";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { Form } from "@/components/ui/form/form";
import { useForm } from "@/components/ui/form/form-state";
import { Notice } from "@/components/ui/notice";

interface AssignButtonProps {
  transferId: string;
  orderId: string;
  /** The merchant's own number of the order. */
  number: string;
  /** Amounts in words: what arrived, and what the order asks for. */
  arrived: string;
  asked: string;
  /** What will happen. */
  outcome: string;
  /** Why to look twice; null when there is no reason. */
  warning: string | null;
  isLikeliest?: boolean;
}

/** Gives a transfer to an order, after a second look. */
export function AssignButton(props: AssignButtonProps) {
  const { transferId, orderId, number, arrived, asked, outcome, warning, isLikeliest = false } = props;
  const t = useTranslations("assign");
  const [isOpen, setOpen] = useState(false);
  const form = useForm(assign, (status) => {
    toast.success(t(status));
    setOpen(false);
  });
  return (
    <>
      <Button size="small" look={isLikeliest ? "primary" : "secondary"} onClick={() => setOpen(true)}>
        {t("assign")}
      </Button>
      <Dialog isOpen={isOpen} onOpenChange={setOpen} title={t("title", { number })}>
        <Form form={form}>
          <input type="hidden" name="transferId" value={transferId} />
          <input type="hidden" name="orderId" value={orderId} />
          <dl className="grid grid-cols-2 gap-3 tabular-nums">
            <div>
              <dt className="text-ink-soft text-xs">{t("arrived")}</dt>
              <dd className="font-medium">{arrived}</dd>
            </div>
            <div>
              <dt className="text-ink-soft text-xs">{t("asked")}</dt>
              <dd className="font-medium">{asked}</dd>
            </div>
          </dl>
          {warning ? <Notice tone="warn">{warning}</Notice> : null}
          <p>{outcome}</p>
          <p className="text-ink-soft">{t("forGood")}</p>
          <DialogActions>
            <Button onClick={() => setOpen(false)}>{t("cancel")}</Button>
            <Button type="submit" look="primary" isBusy={form.isBusy}>
              {t("assign")}
            </Button>
          </DialogActions>
        </Form>
      </Dialog>
    </>
  );
}
