"use client";

import { useRouter } from "next/navigation";
import { registerOwner } from "@/app/(auth)/register/actions";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { TextField } from "@/components/ui/field";
import { useForm } from "@/components/ui/form-state";
import { Notice } from "@/components/ui/notice";

/** The first account of an installation. */
export function RegisterForm() {
  const router = useRouter();
  const form = useForm(registerOwner, () => {
    router.replace("/dashboard");
    router.refresh();
  });
  const problem = form.errorOf("");
  return (
    <Card className="p-2 sm:p-3">
      <h1 className="mb-1 font-semibold text-xl tracking-tight">Set up Stablegate</h1>
      <p className="mb-5 text-ink-soft">This first account owns the installation. Registration closes after it.</p>
      <form onSubmit={form.submit} noValidate className="grid gap-4">
        {problem ? (
          <Notice tone="bad" isAlert>
            {problem}
          </Notice>
        ) : null}
        <TextField
          label="Set-up code"
          name="code"
          isMono
          autoComplete="off"
          spellCheck={false}
          placeholder="XXXX-XXXX-XXXX"
          hint="The service prints it when it starts, as long as nobody has registered: look at its terminal or log."
          error={form.errorOf("code")}
        />
        <TextField
          label="Name of your shop"
          name="name"
          autoComplete="organization"
          hint="Payers see it on the payment page."
          error={form.errorOf("name")}
        />
        <TextField label="E-mail" name="email" type="email" autoComplete="username" error={form.errorOf("email")} />
        <TextField
          label="Password"
          name="password"
          type="password"
          autoComplete="new-password"
          hint="At least 10 characters."
          error={form.errorOf("password")}
        />
        <Button type="submit" look="primary" isBusy={form.isBusy} className="mt-1">
          Create account
        </Button>
      </form>
    </Card>
  );
}
