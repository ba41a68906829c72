import { redirect } from "next/navigation";
import { LoginForm } from "@/app/(auth)/login/login-form";
import { getContext } from "@/app/context";
import { pageTitle } from "@/app/language/page-title";
import { currentPerson } from "@/app/session";
import { hasUsers } from "@/db/queries/people/users";

export const generateMetadata = pageTitle("login");

export default async function LoginPage() {
  if (await currentPerson()) redirect("/dashboard");
  if (!(await hasUsers(getContext().pool.db))) redirect("/register");
  return <LoginForm />;
}
