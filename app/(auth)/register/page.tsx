import { redirect } from "next/navigation";
import { RegisterForm } from "@/app/(auth)/register/register-form";
import { getContext } from "@/app/context";
import { pageTitle } from "@/app/language/page-title";
import { isSetUp } from "@/lib/users/register";

export const generateMetadata = pageTitle("register");

export default async function RegisterPage() {
  const { env, pool } = getContext();
  const isFirst = !(await isSetUp(pool.db));
  if (!isFirst && env.registration !== "open") redirect("/login");
  return <RegisterForm isFirst={isFirst} />;
}
