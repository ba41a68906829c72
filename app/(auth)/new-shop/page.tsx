import type { Metadata } from "next";
import { notFound, redirect } from "next/navigation";
import { NewShopForm } from "@/app/(auth)/new-shop/new-shop-form";
import { getContext } from "@/app/context";
import { currentPerson } from "@/app/session";
import { mayMakeShop } from "@/lib/people/shops";

export const metadata: Metadata = { title: "New shop" };

export default async function NewShopPage() {
  const person = (await currentPerson()) ?? redirect("/login");
  if (!mayMakeShop(person, getContext().env)) notFound();
  return <NewShopForm />;
}
