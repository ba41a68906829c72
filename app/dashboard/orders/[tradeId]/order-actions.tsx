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

interface MarkPaidProps {
  orderId: string;
  /** True if the order has a URL for its callback. */
  hasCallback: boolean;
}

/** Renders the button that marks an order as paid, after a confirmation. */
export function MarkPaid({ orderId, hasCallback }: MarkPaidProps) {
  const t = useTranslations("orderActions");
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button size="small" onClick={() => setOpen(true)}>
        {t("markPaid")}
      </Button>
      <Dialog
        isOpen={isOpen}
        onOpenChange={setOpen}
        title={t("markTitle")}
        hint={t(hasCallback ? "markHintTold" : "markHint")}
      >
        <MarkPaidForm orderId={orderId} onDone={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

interface CancelProps {
  orderId: string;
  /** The amount that has arrived for the order, formatted; null if none has. */
  arrived: string | null;
}

/** Renders the button that cancels an order, after a confirmation. */
export function Cancel({ orderId, arrived }: CancelProps) {
  const t = useTranslations("orderActions");
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button size="small" onClick={() => setOpen(true)}>
        {t("cancel")}
      </Button>
      <Dialog isOpen={isOpen} onOpenChange={setOpen} title={t("cancelTitle")} hint={t("cancelHint")}>
        <CancelForm orderId={orderId} arrived={arrived} onDone={() => setOpen(false)} />
      </Dialog>
    </>
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

function CancelForm({ orderId, arrived, onDone }: CancelProps & { onDone(): void }) {
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
