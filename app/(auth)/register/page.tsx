import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { RegisterForm } from "@/app/(auth)/register/register-form";
import { getContext } from "@/app/context";
import { hasUsers } from "@/db/queries/people/users";

export const metadata: Metadata = { title: "Set up" };

export default async function RegisterPage() {
  if (await hasUsers(getContext().pool.db)) redirect("/login");
  return <RegisterForm />;
}
