import { notFound, redirect } from "next/navigation";
import { NewShopForm } from "@/app/(auth)/new-shop/new-shop-form";
import { getContext } from "@/app/context";
import { pageTitle } from "@/app/language/page-title";
import { currentPerson } from "@/app/session";
import { mayMakeShop } from "@/lib/users/shops";

export const generateMetadata = pageTitle("newShop");

export default async function NewShopPage() {
  const person = (await currentPerson()) ?? redirect("/login");
  if (!mayMakeShop(person, getContext().env)) notFound();
  return <NewShopForm />;
}
