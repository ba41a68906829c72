import { Store } from "lucide-react";
import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { currentPerson } from "@/app/session";
import { SignOut } from "@/components/dashboard/frame/sign-out";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";

export const metadata: Metadata = { title: "No shop" };

/** Where a person lands who belongs to no shop, or to none any more. */
export default async function NoShopPage() {
  const person = (await currentPerson()) ?? redirect("/login");
  if (person.shop) redirect("/dashboard");
  return (
    <Card>
      <EmptyState Icon={Store} title="You belong to no shop">
        <p>{`You are signed in as ${person.user.email}. Ask an owner of the shop for an invitation.`}</p>
        <SignOut />
      </EmptyState>
    </Card>
  );
}
