import { redirect } from "next/navigation";
import { RegisterForm } from "@/app/(auth)/register/register-form";
import { getAllCells, getContext } from "@/app/context";
import { pageTitle } from "@/app/language/page-title";
import { isSetUp } from "@/lib/users/cells/come-in";

export const generateMetadata = pageTitle("register");

export default async function RegisterPage() {
  const { env } = getContext();
  const isFirst = !(await isSetUp(getAllCells()));
  if (!isFirst && env.registration !== "open") redirect("/login");
  return <RegisterForm isFirst={isFirst} />;
}
