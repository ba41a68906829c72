"use client";

import { MailCheck } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { mailReset } from "@/app/(auth)/forgot/actions";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { TextField } from "@/components/ui/form/field";
import { Form } from "@/components/ui/form/form";
import { useForm } from "@/components/ui/form/form-state";

/** Renders the form that requests a password reset link. The result is the same whether or not the account exists. */
export function ForgotForm() {
  const t = useTranslations("auth");
  const [sentTo, setSentTo] = useState<string | null>(null);
  const form = useForm(mailReset, setSentTo);
  return sentTo === null ? (
    <Card className="p-2 sm:p-3">
      <h1 className="mb-1 font-semibold text-xl tracking-tight">{t("forgotTitle")}</h1>
      <p className="mb-5 text-ink-soft">{t("forgotHint")}</p>
      <Form form={form}>
        <TextField
          label={t("email")}
          name="email"
          type="email"
          autoComplete="username"
          autoFocus
          error={form.errorOf("email")}
        />
        <Button type="submit" look="primary" isBusy={form.isBusy} className="mt-1">
          {t("sendLink")}
        </Button>
      </Form>
    </Card>
  ) : (
    <Card>
      <EmptyState
        Icon={MailCheck}
        title={t("sentTitle")}
        action={<Button onClick={() => setSentTo(null)}>{t("askAgain")}</Button>}
      >
        <p role="status">{t("sentText", { email: sentTo })}</p>
      </EmptyState>
    </Card>
  );
}
