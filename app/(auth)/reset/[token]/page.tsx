import { Unlink } from "lucide-react";
import type { Metadata } from "next";
import Link from "next/link";
import { getTranslations } from "next-intl/server";
import { ResetForm } from "@/app/(auth)/reset/[token]/reset-form";
import { getContext } from "@/app/context";
import { pageTitle } from "@/app/language/page-title";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { findReset } from "@/lib/users/reset-by-mail";

export async function generateMetadata(): Promise<Metadata> {
  return { ...(await pageTitle("reset")()), referrer: "no-referrer" };
}

/** Renders the page of a reset link. A GET request does not use up the link, because mail scanners also open links. */
export default async function ResetPage({ params }: { params: Promise<{ token: string }> }) {
  const { token } = await params;
  const { pool, now } = getContext();
  const found = await findReset(pool.db, token, now());
  // The form stays mounted when the link is used up, so that it can show the result.
  return (
    <ResetForm token={token} email={found?.email ?? null}>
      <LinkGone />
    </ResetForm>
  );
}

async function LinkGone() {
  const t = await getTranslations("auth");
  return (
    <Card>
      <EmptyState
        Icon={Unlink}
        title={t("resetGone")}
        action={
          <Button asChild look="primary">
            <Link href="/forgot">{t("askAgain")}</Link>
          </Button>
        }
      >
        <p>{t("resetGoneText")}</p>
      </EmptyState>
    </Card>
  );
}
