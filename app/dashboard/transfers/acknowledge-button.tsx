"use client";

import { toast } from "sonner";
import { acknowledge } from "@/app/dashboard/transfers/actions";
import { Button } from "@/components/ui/button";
import { Form } from "@/components/ui/form/form";
import { useForm } from "@/components/ui/form/form-state";

/** Says that a person knows of a transfer that was taken back. */
export function AcknowledgeButton({ transferId }: { transferId: string }) {
  const form = useForm(acknowledge, () => toast.success("Acknowledged. It is no longer on the first page"));
  return (
    <Form form={form}>
      <input type="hidden" name="transferId" value={transferId} />
      <Button type="submit" size="small" isBusy={form.isBusy}>
        I know
      </Button>
    </Form>
  );
}
