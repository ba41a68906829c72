import type { Metadata } from "next";
import { PasswordForm } from "@/app/dashboard/settings/account/password-form";
import { requirePerson } from "@/app/session";
import { Fact, Facts } from "@/components/dashboard/frame/facts";
import { PageHead } from "@/components/dashboard/frame/page-head";
import { Card } from "@/components/ui/card";

export const metadata: Metadata = { title: "Account" };

const ROLE = {
  owner: "Owner: changes everything",
  admin: "Admin: changes everything",
  viewer: "Viewer: looks, and changes nothing",
} as const;

export default async function AccountPage() {
  const person = await requirePerson();
  return (
    <>
      <PageHead title="Account" />
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <Card title="You">
          <Facts>
            <Fact name="E-mail">{person.user.email}</Fact>
            <Fact name="Shop">{person.merchantName}</Fact>
            <Fact name="Role">{ROLE[person.role]}</Fact>
          </Facts>
        </Card>
        <Card title="Password" hint="A new password signs out every other session.">
          <PasswordForm email={person.user.email} />
        </Card>
      </div>
    </>
  );
}
