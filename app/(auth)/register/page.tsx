import { redirect } from "next/navigation";
import { RegisterForm } from "@/app/(auth)/register/register-form";
import { getContext } from "@/app/context";
import { pageTitle } from "@/app/language/page-title";
import { hasUsers } from "@/db/queries/people/users";

export const generateMetadata = pageTitle("register");

export default async function RegisterPage() {
  const { pool, env } = getContext();
  const isFirst = !(await hasUsers(pool.db));
  if (!isFirst && env.registration !== "open") redirect("/login");
  return <RegisterForm isFirst={isFirst} />;
}
