"use client";

import { RefreshCw } from "lucide-react";
import { useTranslations } from "next-intl";
import { toast } from "sonner";
import { readSweepable } from "@/app/dashboard/settings/addresses/sweeping/actions";
import { Button } from "@/components/ui/button";
import { Form } from "@/components/ui/form/form";
import { useForm } from "@/components/ui/form/form-state";

/** Renders the button that requests the balances of the shop's own addresses. */
export function ReadSweepable() {
  const t = useTranslations("receivers");
  const form = useForm(readSweepable, ({ asked }) => {
    if (asked > 0) toast.success(t("sweeping.asked"));
    else toast(t("sweeping.notAsked"));
  });
  return (
    <Form form={form}>
      <Button type="submit" isBusy={form.isBusy}>
        <RefreshCw aria-hidden /> {t("sweeping.read")}
      </Button>
    </Form>
  );
}
