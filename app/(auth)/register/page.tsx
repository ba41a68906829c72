import { redirect } from "next/navigation";
import { RegisterForm } from "@/app/(auth)/register/register-form";
import { getContext } from "@/app/context";
import { pageTitle } from "@/app/language/page-title";
import { hasUsers } from "@/db/queries/people/users";

export const generateMetadata = pageTitle("register");

export default async function RegisterPage() {
  if (await hasUsers(getContext().pool.db)) redirect("/login");
  return <RegisterForm />;
}
