import { getTranslations } from "next-intl/server";
import { PasswordForm } from "@/app/dashboard/settings/account/password-form";
import { pageTitle } from "@/app/language/page-title";
import { requirePerson } from "@/app/session";
import { Fact, Facts } from "@/components/dashboard/frame/facts";
import { PageHead } from "@/components/dashboard/frame/page-head";
import { Card } from "@/components/ui/card";

export const generateMetadata = pageTitle("account");

export default async function AccountPage() {
  const person = await requirePerson();
  const t = await getTranslations("account");
  return (
    <>
      <PageHead title={t("title")} />
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <Card title={t("you")}>
          <Facts>
            <Fact name={t("email")}>{person.user.email}</Fact>
            <Fact name={t("shop")}>{person.merchantName}</Fact>
            <Fact name={t("role")}>{t(person.role)}</Fact>
          </Facts>
        </Card>
        <Card title={t("password")} hint={t("passwordHint")}>
          <PasswordForm email={person.user.email} />
        </Card>
      </div>
    </>
  );
}
