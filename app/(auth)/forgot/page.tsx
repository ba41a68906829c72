import Link from "next/link";
import { getTranslations } from "next-intl/server";
import { ForgotForm } from "@/app/(auth)/forgot/forgot-form";
import { getContext } from "@/app/context";
import { pageTitle } from "@/app/language/page-title";
import { Card } from "@/components/ui/card";
import { Identifier } from "@/components/ui/identifier";

export const generateMetadata = pageTitle("forgot");

const COMMAND = "npm run reset-password -- you@example.com";

/** Renders the page for a forgotten password: a form, or instructions if the installation sends no email. */
export default async function ForgotPage() {
  const t = await getTranslations("auth");
  return (
    <>
      {getContext().env.smtpUrl === null ? <NoMail /> : <ForgotForm />}
      <p className="mt-4 text-center text-ink-soft">
        <Link href="/login" className="font-medium text-accent underline-offset-4 hover:underline">
          {t("backToSignIn")}
        </Link>
      </p>
    </>
  );
}

/** Renders the instructions for an installation that sends no email: the users who can reset the password, and the steps. */
async function NoMail() {
  const t = await getTranslations("auth");
  return (
    <Card className="p-2 sm:p-3">
      <h1 className="mb-1 font-semibold text-xl tracking-tight">{t("noMail")}</h1>
      <div className="grid gap-3 text-ink-soft">
        <p>{t("noMailText")}</p>
        <Identifier text={COMMAND} what={t("command")} />
        <p>{t("noMailSecond")}</p>
      </div>
    </Card>
  );
}
