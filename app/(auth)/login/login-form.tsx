"use client";

import { useRouter } from "next/navigation";
import { signIn } from "next-auth/react";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { TextField } from "@/components/ui/field";
import { type Answer, useForm } from "@/components/ui/form-state";
import { Notice } from "@/components/ui/notice";

/** Sign in by e-mail and password. */
export function LoginForm() {
  const router = useRouter();
  const form = useForm(sendSignIn, () => {
    router.replace("/dashboard");
    router.refresh();
  });
  const problem = form.errorOf("");
  return (
    <Card className="p-2 sm:p-3">
      <h1 className="mb-1 font-semibold text-xl tracking-tight">Sign in</h1>
      <p className="mb-5 text-ink-soft">To your orders, keys and receiving addresses.</p>
      <form onSubmit={form.submit} noValidate className="grid gap-4">
        {problem ? (
          <Notice tone="bad" isAlert>
            {problem}
          </Notice>
        ) : null}
        <TextField
          label="E-mail"
          name="email"
          type="email"
          autoComplete="username"
          autoFocus
          error={form.errorOf("email")}
        />
        <TextField
          label="Password"
          name="password"
          type="password"
          autoComplete="current-password"
          error={form.errorOf("password")}
        />
        <Button type="submit" look="primary" isBusy={form.isBusy} className="mt-1">
          Sign in
        </Button>
      </form>
    </Card>
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
  return "Signing in did not work. Reload the page and try again.";
}

function waitText(seconds: number): string {
  return seconds < 90 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`;
}

function wrong(field: string, message: string): Answer<true> {
  return { errors: [{ field, message }] };
}
