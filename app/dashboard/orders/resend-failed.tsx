"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { toast } from "sonner";
import { resendAllFailed } from "@/app/dashboard/orders/actions";
import { Button } from "@/components/ui/button";
import { Form } from "@/components/ui/form/form";
import { useForm } from "@/components/ui/form/form-state";

/** One press for all callbacks that could not be delivered, once the shop's server is well again. */
export function ResendFailed() {
  const t = useTranslations("resend");
  const router = useRouter();
  const form = useForm(resendAllFailed, (count) => {
    toast.success(t("sent", { count }));
    router.refresh();
  });
  return (
    <Form form={form} className="mb-4 justify-items-start">
      <Button type="submit" isBusy={form.isBusy}>
        {t("all")}
      </Button>
    </Form>
  );
}
