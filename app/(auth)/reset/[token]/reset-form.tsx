"use client";

import { useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import { LoginForm } from "@/app/(auth)/login/login-form";
import { setPassword } from "@/app/(auth)/reset/[token]/actions";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { TextField } from "@/components/ui/form/field";
import { Form } from "@/components/ui/form/form";
import { useForm } from "@/components/ui/form/form-state";

interface ResetFormProps {
  token: string;
  /** The email address of the account; null if the link is no longer valid. */
  email: string | null;
  /** Shown if the link is no longer valid. */
  children: ReactNode;
}

/** Renders the form that sets a new password. The user then signs in, with their second factor if they have one. */
export function ResetForm({ token, email, children }: ResetFormProps) {
  const t = useTranslations("auth");
  const [doneFor, setDoneFor] = useState<string | null>(null);
  const form = useForm(setPassword, (ok) => setDoneFor(ok.email));
  if (doneFor !== null) return <LoginForm email={doneFor} hint={t("resetDone")} />;
  if (email === null) return children;
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
