"use client";

import { useTranslations } from "next-intl";
import { AuthForm } from "@/app/(auth)/auth-form";
import { join, registerByInvitation } from "@/app/(auth)/invite/[token]/actions";
import { TextField } from "@/components/ui/form/field";

interface InviteProps {
  token: string;
  shop: string;
  email: string;
  /** The translated name of the role that the invitation grants. */
  role: string;
}

/** Renders the button with which a signed-in user accepts an invitation. */
export function JoinForm({ token, shop, email, role }: InviteProps) {
  const t = useTranslations("invite");
  return (
    <AuthForm title={t("title", { shop })} hint={t("signedInAs", { email, role })} submit={t("join")} action={join}>
      {() => <input type="hidden" name="token" value={token} />}
    </AuthForm>
  );
}

/** Renders the form that creates an account for the invited email address. */
export function RegisterInvitedForm({ token, shop, email, role }: InviteProps) {
  const t = useTranslations("invite");
  return (
    <AuthForm title={t("title", { shop })} hint={role} submit={t("createAccount")} action={registerByInvitation}>
      {(errorOf) => (
        <>
          <input type="hidden" name="token" value={token} />
          <TextField label={t("email")} type="email" autoComplete="username" value={email} readOnly />
          <TextField
            label={t("password")}
            name="password"
            type="password"
            autoComplete="new-password"
            hint={t("passwordHint", { min: 10 })}
            autoFocus
            error={errorOf("password")}
          />
        </>
      )}
    </AuthForm>
  );
}
