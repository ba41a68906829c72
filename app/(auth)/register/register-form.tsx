"use client";

import { useTranslations } from "next-intl";
import { AuthForm } from "@/app/(auth)/auth-form";
import { registerOwner } from "@/app/(auth)/register/actions";
import { TextField } from "@/components/ui/form/field";

/** Renders the form that creates the first account of an installation, or any account where registration is open. */
export function RegisterForm({ isFirst }: { isFirst: boolean }) {
  const t = useTranslations("auth");
  return (
    <AuthForm
      title={t(isFirst ? "setUp" : "createAccount")}
      hint={t(isFirst ? "setUpHint" : "openHint")}
      submit={t("createAccount")}
      action={registerOwner}
    >
      {(errorOf) => (
        <>
          {isFirst ? (
            <TextField
              label={t("code")}
              name="code"
              isMono
              autoComplete="off"
              spellCheck={false}
              placeholder="XXXX-XXXX-XXXX"
              hint={t("codeHint")}
              error={errorOf("code")}
            />
          ) : null}
          <TextField
            label={t("shopName")}
            name="name"
            autoComplete="organization"
            hint={t("shopNameHint")}
            error={errorOf("name")}
          />
          <TextField label={t("email")} name="email" type="email" autoComplete="username" error={errorOf("email")} />
          <TextField
            label={t("password")}
            name="password"
            type="password"
            autoComplete="new-password"
            hint={t("passwordHint", { min: 10 })}
            error={errorOf("password")}
          />
        </>
      )}
    </AuthForm>
  );
}
