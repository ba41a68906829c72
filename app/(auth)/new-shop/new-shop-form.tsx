"use client";

import { AuthForm } from "@/app/(auth)/auth-form";
import { makeShop } from "@/app/(auth)/new-shop/actions";
import { TextField } from "@/components/ui/form/field";

/** Makes another shop. */
export function NewShopForm() {
  return (
    <AuthForm
      title="New shop"
      hint="With its own orders, receiving addresses, keys and people. You are its owner."
      submit="Make the shop"
      action={makeShop}
    >
      {(errorOf) => (
        <TextField
          label="Name of the shop"
          name="name"
          autoComplete="off"
          hint="Payers see it on the payment page."
          autoFocus
          error={errorOf("name")}
        />
      )}
    </AuthForm>
  );
}
