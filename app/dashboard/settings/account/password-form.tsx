"use client";

import { useTranslations } from "next-intl";
import { useRef } from "react";
import { toast } from "sonner";
import { changePassword } from "@/app/dashboard/settings/account/actions";
import { Button } from "@/components/ui/button";
import { TextField } from "@/components/ui/form/field";
import { Form } from "@/components/ui/form/form";
import { useForm } from "@/components/ui/form/form-state";
import { ProveAgain } from "@/components/ui/form/prove-again";

/** Renders the form that changes the password. */
export function PasswordForm({ email }: { email: string }) {
  const t = useTranslations("passwordForm");
  const ref = useRef<HTMLFormElement>(null);
  const form = useForm(changePassword, () => {
    ref.current?.reset();
    toast.success(t("done"));
  });
  return (
    <Form form={form} ref={ref} className="max-w-sm">
      <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
      <TextField
        label={t("next")}
        name="newPassword"
        type="password"
        autoComplete="new-password"
        hint={t("hint", { min: 10 })}
        error={form.errorOf("newPassword")}
      />
      <ProveAgain />
      <div>
        <Button type="submit" look="primary" isBusy={form.isBusy}>
          {t("change")}
        </Button>
      </div>
    </Form>
  );
}
