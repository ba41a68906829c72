import Link from "next/link";
import { redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { LoginForm } from "@/app/(auth)/login/login-form";
import { getAllCells, getContext } from "@/app/context";
import { pageTitle } from "@/app/language/page-title";
import { currentPerson } from "@/app/session";
import { isSetUp } from "@/lib/people/cells/come-in";

export const generateMetadata = pageTitle("login");

export default async function LoginPage() {
  if (await currentPerson()) redirect("/dashboard");
  const { env } = getContext();
  const t = await getTranslations("auth");
  if (!(await isSetUp(getAllCells()))) redirect("/register");
  return (
    <>
      <LoginForm />
      <p className="mt-4 text-center text-ink-soft">
        <Link href="/forgot" className="font-medium text-accent underline-offset-4 hover:underline">
          {t("forgot")}
        </Link>
      </p>
      {env.registration === "open" ? (
        <p className="mt-4 text-center text-ink-soft">
          <Link href="/register" className="font-medium text-accent underline-offset-4 hover:underline">
            {t("createAccount")}
          </Link>
        </p>
      ) : null}
    </>
  );
}
