"use client";

import { signIn } from "next-auth/react";
import { AuthForm } from "@/app/(auth)/auth-form";
import { wrong } from "@/app/form-fields";
import { TextField } from "@/components/ui/form/field";
import type { Answer } from "@/components/ui/form/form-state";

interface LoginFormProps {
  hint?: string;
  email?: string;
  goTo?: string;
}

/** Sign in by e-mail and password. */
export function LoginForm({ hint = "To your orders, keys and receiving addresses.", email, goTo }: LoginFormProps) {
  return (
    <AuthForm title="Sign in" hint={hint} submit="Sign in" action={sendSignIn} {...(goTo ? { goTo } : {})}>
      {(errorOf) => (
        <>
          <TextField
            label="E-mail"
            name="email"
            type="email"
            autoComplete="username"
            autoFocus={!email}
            defaultValue={email}
            error={errorOf("email")}
          />
          <TextField
            label="Password"
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

async function sendSignIn(data: FormData): Promise<Answer<true>> {
  const [email, password] = [String(data.get("email") ?? ""), String(data.get("password") ?? "")];
  if (!email.trim()) return wrong("email", "Enter your e-mail address");
  if (!password) return wrong("password", "Enter your password");
  const answer = await signIn("credentials", { email, password, redirect: false });
  return answer?.ok ? { ok: true } : wrong("", inWords(answer?.error ?? ""));
}

function inWords(error: string): string {
  const [kind, seconds] = error.split(":");
  if (kind === "CredentialsSignin") return "E-mail and password do not fit together.";
  if (kind === "tooMany") return `Too many wrong tries. Try again in ${waitText(Number(seconds))}.`;
  if (kind === "away") return "Nobody can sign in at the moment. Try again in a few seconds.";
  return "Signing in did not work. Reload the page and try again.";
}

function waitText(seconds: number): string {
  return seconds < 90 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`;
}
