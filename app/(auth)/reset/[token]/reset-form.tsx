"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { LoginForm } from "@/app/(auth)/login/login-form";
import { setPassword } from "@/app/(auth)/reset/[token]/actions";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { TextField } from "@/components/ui/form/field";
import { Form } from "@/components/ui/form/form";
import { useForm } from "@/components/ui/form/form-state";

/** A new password for whoever followed the link of a mail; then they sign in, with their second factor where there is one. */
export function ResetForm({ token, email }: { token: string; email: string }) {
  const t = useTranslations("auth");
  const [isDone, setDone] = useState(false);
  const form = useForm(setPassword, () => setDone(true));
  if (isDone) return <LoginForm email={email} hint={t("resetDone")} />;
  return (
    <Card className="p-2 sm:p-3">
      <h1 className="mb-1 font-semibold text-xl tracking-tight">{t("resetTitle")}</h1>
      <p className="mb-5 text-ink-soft [overflow-wrap:anywhere]">{t("resetHint", { email })}</p>
      <Form form={form}>
        <input type="hidden" name="token" value={token} />
        <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
        <TextField
          label={t("newPassword")}
          name="newPassword"
          type="password"
          autoComplete="new-password"
          hint={t("passwordHint", { min: 10 })}
          autoFocus
          error={form.errorOf("newPassword")}
        />
        <Button type="submit" look="primary" isBusy={form.isBusy} className="mt-1">
          {t("setPassword")}
        </Button>
      </Form>
    </Card>
  );
}
