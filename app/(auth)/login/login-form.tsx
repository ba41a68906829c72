"use client";

import { signIn } from "next-auth/react";
import { useTranslations } from "next-intl";
import { AuthForm } from "@/app/(auth)/auth-form";
import type { Translate } from "@/components/messages/translate";
import { TextField } from "@/components/ui/form/field";
import type { Answer } from "@/components/ui/form/form-state";
import { wrong } from "@/lib/errors";

interface LoginFormProps {
  hint?: string;
  email?: string;
  goTo?: string;
}

/** Sign in by e-mail and password. */
export function LoginForm({ hint, email, goTo }: LoginFormProps) {
  const t = useTranslations("auth");
  return (
    <AuthForm
      title={t("signIn")}
      hint={hint ?? t("signInHint")}
      submit={t("signIn")}
      action={(form) => sendSignIn(form, t)}
      {...(goTo ? { goTo } : {})}
    >
      {(errorOf) => (
        <>
          <TextField
            label={t("email")}
            name="email"
            type="email"
            autoComplete="username"
            autoFocus={!email}
            defaultValue={email}
            error={errorOf("email")}
          />
          <TextField
            label={t("password")}
            name="password"
            type="password"
            autoComplete="current-password"
            error={errorOf("password")}
          />
        </>
      )}
    </AuthForm>
  );
}

async function sendSignIn(data: FormData, t: Translate<"auth">): Promise<Answer<true>> {
  const [email, password] = [String(data.get("email") ?? ""), String(data.get("password") ?? "")];
  if (!email.trim()) return wrong("email", t("enterEmail"));
  if (!password) return wrong("password", t("enterPassword"));
  const answer = await signIn("credentials", { email, password, redirect: false });
  return answer?.ok ? { ok: true } : wrong("", inWords(answer?.error ?? "", t));
}

function inWords(error: string, t: Translate<"auth">): string {
  const [kind, seconds] = error.split(":");
  if (kind === "CredentialsSignin") return t("wrongPair");
  if (kind === "tooMany") return waitText(Number(seconds), t);
  if (kind === "away") return t("away");
  return t("failed");
}

function waitText(seconds: number, t: Translate<"auth">): string {
  return seconds < 90
    ? t("tooManySeconds", { count: seconds })
    : t("tooManyMinutes", { count: Math.ceil(seconds / 60) });
}
