import type { Metadata } from "next";
import Link from "next/link";
import { redirect } from "next/navigation";
import { LoginForm } from "@/app/(auth)/login/login-form";
import { getContext } from "@/app/context";
import { currentPerson } from "@/app/session";
import { hasUsers } from "@/db/queries/people/users";

export const metadata: Metadata = { title: "Sign in" };

export default async function LoginPage() {
  if (await currentPerson()) redirect("/dashboard");
  const { pool, env } = getContext();
  if (!(await hasUsers(pool.db))) redirect("/register");
  return (
    <>
      <LoginForm />
      {env.registration === "open" ? (
        <p className="mt-4 text-center text-ink-soft">
          <Link href="/register" className="font-medium text-accent underline-offset-4 hover:underline">
            Create an account
          </Link>
        </p>
      ) : null}
    </>
  );
}
