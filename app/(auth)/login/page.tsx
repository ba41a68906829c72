import Link from "next/link";
import { redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { LoginForm } from "@/app/(auth)/login/login-form";
import { getContext } from "@/app/context";
import { pageTitle } from "@/app/language/page-title";
import { currentPerson } from "@/app/session";
import { CONNECT_PAGE } from "@/lib/domain/integrations/connection";
import { isSetUp } from "@/lib/users/register";

/** The only page that `next` can refer to, with any query. Any other value is ignored, to prevent open redirects. */
const NEXT = new RegExp(`^${CONNECT_PAGE}(?:\\?|$)`);

export const generateMetadata = pageTitle("login");

/**
 * @param searchParams `next` is the page to which the user returns after signing in; only the connect page, which applications link to, is
 * accepted
 */
export default async function LoginPage({ searchParams }: { searchParams: Promise<{ next?: string | string[] }> }) {
  const { next } = await searchParams;
  const goTo = typeof next === "string" && NEXT.test(next) ? next : null;
  if (await currentPerson()) redirect(goTo ?? "/dashboard");
  const { env, pool } = getContext();
  const t = await getTranslations("auth");
  if (!(await isSetUp(pool.db))) redirect("/register");
  return (
    <>
      <LoginForm {...(goTo && { goTo, hint: t("toConnect") })} />
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
