"use client";

import { useTranslations } from "next-intl";
import { toast } from "sonner";
import { acknowledge } from "@/app/dashboard/transfers/actions";
import { Button } from "@/components/ui/button";
import { Form } from "@/components/ui/form/form";
import { useForm } from "@/components/ui/form/form-state";

/** Renders the button with which a user acknowledges a dropped transfer. */
export function AcknowledgeButton({ transferId }: { transferId: string }) {
  const t = useTranslations("assign");
  const form = useForm(acknowledge, () => toast.success(t("acknowledged")));
  return (
    <Form form={form}>
      <input type="hidden" name="transferId" value={transferId} />
      <Button type="submit" size="small" isBusy={form.isBusy}>
        {t("know")}
      </Button>
    </Form>
  );
}
