"use client";

import { useTranslations } from "next-intl";
import { AuthForm } from "@/app/(auth)/auth-form";
import { makeShop } from "@/app/(auth)/new-shop/actions";
import { TextField } from "@/components/ui/form/field";

/** Renders the form that creates another shop. */
export function NewShopForm() {
  const t = useTranslations("newShop");
  return (
    <AuthForm title={t("title")} hint={t("hint")} submit={t("make")} action={makeShop}>
      {(errorOf) => (
        <TextField
          label={t("name")}
          name="name"
          autoComplete="off"
          hint={t("nameHint")}
          autoFocus
          error={errorOf("name")}
        />
      )}
    </AuthForm>
  );
}
