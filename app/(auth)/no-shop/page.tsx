import { Store } from "lucide-react";
import type { Metadata } from "next";
import Link from "next/link";
import { redirect } from "next/navigation";
import { getContext } from "@/app/context";
import { currentPerson } from "@/app/session";
import { SignOut } from "@/components/dashboard/frame/sign-out";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { mayMakeShop } from "@/lib/people/shops";

export const metadata: Metadata = { title: "No shop" };

/** Where a person lands who belongs to no shop, or to none any more. */
export default async function NoShopPage() {
  const person = (await currentPerson()) ?? redirect("/login");
  if (person.shop) redirect("/dashboard");
  return (
    <Card>
      <EmptyState Icon={Store} title="You belong to no shop">
        <p>{`You are signed in as ${person.user.email}. Ask an owner of the shop for an invitation.`}</p>
        {mayMakeShop(person, getContext().env) ? (
          <Button asChild look="primary" className="justify-self-center">
            <Link href="/new-shop">New shop</Link>
          </Button>
        ) : null}
        <SignOut />
      </EmptyState>
    </Card>
  );
}
