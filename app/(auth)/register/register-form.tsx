"use client";

import { AuthForm } from "@/app/(auth)/auth-form";
import { registerOwner } from "@/app/(auth)/register/actions";
import { TextField } from "@/components/ui/form/field";

/** The first account of an installation. */
export function RegisterForm() {
  return (
    <AuthForm
      title="Set up Stablegate"
      hint="This first account owns the installation. Registration closes after it."
      submit="Create account"
      action={registerOwner}
    >
      {(errorOf) => (
        <>
          <TextField
            label="Set-up code"
            name="code"
            isMono
            autoComplete="off"
            spellCheck={false}
            placeholder="XXXX-XXXX-XXXX"
            hint="The service prints it when it starts, as long as nobody has registered: look at its terminal or log."
            error={errorOf("code")}
          />
          <TextField
            label="Name of your shop"
            name="name"
            autoComplete="organization"
            hint="Payers see it on the payment page."
            error={errorOf("name")}
          />
          <TextField label="E-mail" name="email" type="email" autoComplete="username" error={errorOf("email")} />
          <TextField
            label="Password"
            name="password"
            type="password"
            autoComplete="new-password"
            hint="At least 10 characters."
            error={errorOf("password")}
          />
        </>
      )}
    </AuthForm>
  );
}
