"use client";

import { AuthForm } from "@/app/(auth)/auth-form";
import { join, registerByInvitation } from "@/app/(auth)/invite/[token]/actions";
import { TextField } from "@/components/ui/form/field";

interface InviteProps {
  token: string;
  shop: string;
  email: string;
  /** What it makes of them, in words. */
  role: string;
}

/** One press lets somebody in who is signed in. */
export function JoinForm({ token, shop, email, role }: InviteProps) {
  return (
    <AuthForm title={`Join ${shop}`} hint={`You are signed in as ${email}. ${role}`} submit="Join" action={join}>
      {() => <input type="hidden" name="token" value={token} />}
    </AuthForm>
  );
}

/** An account for somebody new, with the e-mail address that was invited. */
export function RegisterInvitedForm({ token, shop, email, role }: InviteProps) {
  return (
    <AuthForm title={`Join ${shop}`} hint={role} submit="Create account" action={registerByInvitation}>
      {(errorOf) => (
        <>
          <input type="hidden" name="token" value={token} />
          <TextField label="E-mail" type="email" autoComplete="username" value={email} readOnly />
          <TextField
            label="Password"
            name="password"
            type="password"
            autoComplete="new-password"
            hint="At least 10 characters."
            autoFocus
            error={errorOf("password")}
          />
        </>
      )}
    </AuthForm>
  );
}
