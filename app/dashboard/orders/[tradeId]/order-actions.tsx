"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { toast } from "sonner";
import { cancel, markPaid } from "@/app/dashboard/orders/[tradeId]/actions";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { TextField } from "@/components/ui/form/field";
import { Form } from "@/components/ui/form/form";
import { useForm } from "@/components/ui/form/form-state";
import { ProvePayment } from "@/components/ui/form/prove-again";
import { Notice } from "@/components/ui/notice";

interface OrderActionsProps {
  orderId: string;
  canCancel: boolean;
  /** The amount that has arrived for the order, formatted; null if none has. */
  arrived: string | null;
  /** True if the order has a URL for its callback. */
  hasCallback: boolean;
}

type Task = "markPaid" | "cancel";

/** Renders the actions that mark an order as paid or cancel it, each after a confirmation. */
export function OrderActions({ orderId, canCancel, arrived, hasCallback }: OrderActionsProps) {
  const t = useTranslations("orderActions");
  const [task, setTask] = useState<Task | null>(null);
  const close = () => setTask(null);
  return (
    <div className="flex flex-wrap gap-2">
      <Button onClick={() => setTask("markPaid")}>{t("markPaid")}</Button>
      {canCancel ? <Button onClick={() => setTask("cancel")}>{t("cancel")}</Button> : null}
      <Dialog
        isOpen={task === "markPaid"}
        onOpenChange={(isOpen) => !isOpen && close()}
        title={t("markTitle")}
        hint={t(hasCallback ? "markHintTold" : "markHint")}
      >
        <MarkPaidForm orderId={orderId} onDone={close} />
      </Dialog>
      <Dialog
        isOpen={task === "cancel"}
        onOpenChange={(isOpen) => !isOpen && close()}
        title={t("cancelTitle")}
        hint={t("cancelHint")}
      >
        <CancelForm orderId={orderId} arrived={arrived} onDone={close} />
      </Dialog>
    </div>
  );
}

function MarkPaidForm({ orderId, onDone }: { orderId: string; onDone(): void }) {
  const t = useTranslations("orderActions");
  const form = useForm(markPaid, () => {
    toast.success(t("isPaid"));
    onDone();
  });
  return (
    <Form form={form}>
      <input type="hidden" name="orderId" value={orderId} />
      <TextField
        label={t("reason")}
        name="reason"
        autoComplete="off"
        placeholder={t("reasonExample")}
        hint={t("reasonHint")}
        error={form.errorOf("reason")}
      />
      <ProvePayment />
      <DialogActions>
        <Button onClick={onDone}>{t("back")}</Button>
        <Button type="submit" look="primary" isBusy={form.isBusy}>
          {t("markPaid")}
        </Button>
      </DialogActions>
    </Form>
  );
}

function CancelForm({ orderId, arrived, onDone }: { orderId: string; arrived: string | null; onDone(): void }) {
  const t = useTranslations("orderActions");
  const form = useForm(cancel, () => {
    toast.success(t("isCancelled"));
    onDone();
  });
  return (
    <Form form={form}>
      <input type="hidden" name="orderId" value={orderId} />
      {arrived ? <Notice tone="warn">{t("arrived", { amount: arrived })}</Notice> : null}
      <DialogActions>
        <Button onClick={onDone}>{t("back")}</Button>
        <Button type="submit" look="danger" isBusy={form.isBusy}>
          {t("cancel")}
        </Button>
      </DialogActions>
    </Form>
  );
}
