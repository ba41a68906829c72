"use client";

import { RefreshCw } from "lucide-react";
import { useFormatter, useTranslations } from "next-intl";
import { toast } from "sonner";
import { readChainBalances } from "@/app/dashboard/reports/actions";
import { Button } from "@/components/ui/button";
import { Form } from "@/components/ui/form/form";
import { useForm } from "@/components/ui/form/form-state";

/** Renders the button that requests the balances of the shop's addresses. */
export function ReadBalances() {
  const t = useTranslations("readBalances");
  const format = useFormatter();
  const form = useForm(readChainBalances, ({ asked, again }) => {
    if (asked > 0) toast.success(t("asked"));
    else if (again) toast(t("notAsked", { time: format.dateTime(new Date(again), { timeStyle: "short" }) }));
    else toast(t("noAddress"));
  });
  return (
    <Form form={form}>
      <Button type="submit" size="small" isBusy={form.isBusy}>
        <RefreshCw aria-hidden /> {t("read")}
      </Button>
    </Form>
  );
}
