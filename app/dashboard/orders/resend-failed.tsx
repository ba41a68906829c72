"use client";

import { useRouter } from "next/navigation";
import { toast } from "sonner";
import { resendAllFailed } from "@/app/dashboard/orders/actions";
import { Button } from "@/components/ui/button";
import { Form } from "@/components/ui/form/form";
import { useForm } from "@/components/ui/form/form-state";

/** One press for all callbacks that could not be delivered, once the shop's server is well again. */
export function ResendFailed() {
  const router = useRouter();
  const form = useForm(resendAllFailed, (count) => {
    toast.success(count === 1 ? "1 callback is sent again" : `${count.toLocaleString("en")} callbacks are sent again`);
    router.refresh();
  });
  return (
    <Form form={form} className="mb-4 justify-items-start">
      <Button type="submit" isBusy={form.isBusy}>
        Send all failed callbacks again
      </Button>
    </Form>
  );
}
