"use client";

import { AuthForm } from "@/app/(auth)/auth-form";
import { registerOwner } from "@/app/(auth)/register/actions";
import { TextField } from "@/components/ui/form/field";

/** The first account of an installation; where it is open, everybody's. */
export function RegisterForm({ isFirst }: { isFirst: boolean }) {
  return (
    <AuthForm
      title={isFirst ? "Set up Stablegate" : "Create an account"}
      hint={
        isFirst
          ? "This first account looks after the installation, and owns its first shop."
          : "With a shop of your own."
      }
      submit="Create account"
      action={registerOwner}
    >
      {(errorOf) => (
        <>
          {isFirst ? (
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
          ) : null}
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
