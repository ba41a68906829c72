"use client";

import { RotateCw } from "lucide-react";
import { useTranslations } from "next-intl";
import { useEffect } from "react";
import { toast } from "sonner";
import { resend } from "@/app/dashboard/orders/[tradeId]/actions";
import { Button } from "@/components/ui/button";
import { useForm } from "@/components/ui/form/form-state";

/** Renders the button that resends a callback immediately. */
export function ResendButton({ callbackId }: { callbackId: string }) {
  const t = useTranslations("resend");
  const form = useForm(resend, () => toast.success(t("oneSent")));
  const problem = form.errorOf("");
  useEffect(() => {
    if (problem) toast.error(problem);
  }, [problem]);
  return (
    <form onSubmit={form.submit}>
      <input type="hidden" name="callbackId" value={callbackId} />
      <Button type="submit" size="small" isBusy={form.isBusy}>
        {form.isBusy ? null : <RotateCw aria-hidden />} {t("one")}
      </Button>
    </form>
  );
}
