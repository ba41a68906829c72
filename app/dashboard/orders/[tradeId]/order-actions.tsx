"use client";

import { useState } from "react";
import { toast } from "sonner";
import { cancel, markPaid } from "@/app/dashboard/orders/[tradeId]/actions";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { TextField } from "@/components/ui/form/field";
import { Form } from "@/components/ui/form/form";
import { useForm } from "@/components/ui/form/form-state";
import { Notice } from "@/components/ui/notice";

interface OrderActionsProps {
  orderId: string;
  canCancel: boolean;
  /** What has arrived for it, in words; null when nothing has. */
  arrived: string | null;
  /** Whether its callback goes somewhere. */
  hasCallback: boolean;
}

type Task = "markPaid" | "cancel";

/** Marks an order as paid, or cancels it, each after a second look. */
export function OrderActions({ orderId, canCancel, arrived, hasCallback }: OrderActionsProps) {
  const [task, setTask] = useState<Task | null>(null);
  const close = () => setTask(null);
  return (
    <div className="flex flex-wrap gap-2">
      <Button onClick={() => setTask("markPaid")}>Mark as paid</Button>
      {canCancel ? <Button onClick={() => setTask("cancel")}>Cancel order</Button> : null}
      <Dialog
        isOpen={task === "markPaid"}
        onOpenChange={(isOpen) => !isOpen && close()}
        title="Mark this order as paid?"
        hint={`For money that did not come over the chain, or that you accept as it is. The order is paid by hand${hasCallback ? ", and your server is told" : ""}. This cannot be undone.`}
      >
        <MarkPaidForm orderId={orderId} onDone={close} />
      </Dialog>
      <Dialog
        isOpen={task === "cancel"}
        onOpenChange={(isOpen) => !isOpen && close()}
        title="Cancel this order?"
        hint="The payer is told not to send anything. What arrives all the same is kept under Transfers as unmatched. This cannot be undone."
      >
        <CancelForm orderId={orderId} arrived={arrived} onDone={close} />
      </Dialog>
    </div>
  );
}

function MarkPaidForm({ orderId, onDone }: { orderId: string; onDone(): void }) {
  const form = useForm(markPaid, () => {
    toast.success("The order is paid");
    onDone();
  });
  return (
    <Form form={form}>
      <input type="hidden" name="orderId" value={orderId} />
      <TextField
        label="Reason"
        name="reason"
        autoComplete="off"
        placeholder="Paid in cash"
        hint="Kept in the order's history, with your name."
        error={form.errorOf("reason")}
      />
      <DialogActions>
        <Button onClick={onDone}>Back</Button>
        <Button type="submit" look="primary" isBusy={form.isBusy}>
          Mark as paid
        </Button>
      </DialogActions>
    </Form>
  );
}

function CancelForm({ orderId, arrived, onDone }: { orderId: string; arrived: string | null; onDone(): void }) {
  const form = useForm(cancel, () => {
    toast.success("The order is cancelled");
    onDone();
  });
  return (
    <Form form={form}>
      <input type="hidden" name="orderId" value={orderId} />
      {arrived ? (
        <Notice tone="warn">{arrived} arrived for this order. Cancelling does not send it back: you do.</Notice>
      ) : null}
      <DialogActions>
        <Button onClick={onDone}>Back</Button>
        <Button type="submit" look="danger" isBusy={form.isBusy}>
          Cancel order
        </Button>
      </DialogActions>
    </Form>
  );
}
