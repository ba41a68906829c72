"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { toast } from "sonner";
import { resendFailed } from "@/app/dashboard/callbacks/actions";
import { Button } from "@/components/ui/button";
import { Form } from "@/components/ui/form/form";
import { useForm } from "@/components/ui/form/form-state";

interface ResendFailedProps {
  /** The filter of the list, as in its URL. */
  query: string;
  /** The number of failed callbacks that match the filter; a lower bound if `isLowerBound` is true. */
  count: number;
  isLowerBound: boolean;
}

/** Renders the button that resends the failed callbacks that match a filter, to use once the shop's server works again. */
export function ResendFailed({ query, count, isLowerBound }: ResendFailedProps) {
  const t = useTranslations("resend");
  const router = useRouter();
  const form = useForm(resendFailed, (sent) => {
    toast.success(t("sent", { count: sent }));
    router.refresh();
  });
  return (
    <Form form={form} className="mb-4 justify-items-start">
      <input type="hidden" name="filter" value={query} />
      <Button type="submit" isBusy={form.isBusy}>
        {t(isLowerBound ? "allMany" : "all", { count })}
      </Button>
    </Form>
  );
}
