"use client";

import { useTranslations } from "next-intl";
import { toast } from "sonner";
import { endOne, endOthers } from "@/app/dashboard/settings/security/actions";
import { Button } from "@/components/ui/button";
import { Form } from "@/components/ui/form/form";
import { useForm } from "@/components/ui/form/form-state";

/** Renders the button that ends one session. */
export function EndOne({ id, browser }: { id: string; browser: string }) {
  const t = useTranslations("security");
  const form = useForm(endOne, () => toast.success(t("signedOut", { browser })));
  return (
    <Form form={form} className="justify-items-end">
      <input type="hidden" name="id" value={id} />
      <Button type="submit" size="small" isBusy={form.isBusy} aria-label={t("signOutWhat", { browser })}>
        {t("signOut")}
      </Button>
    </Form>
  );
}

/** Renders the button that ends all other sessions. */
export function EndOthers() {
  const t = useTranslations("security");
  const form = useForm(endOthers, (count) => toast.success(t("othersSignedOut", { count })));
  return (
    <Form form={form}>
      <Button type="submit" isBusy={form.isBusy}>
        {t("signOutOthers")}
      </Button>
    </Form>
  );
}
