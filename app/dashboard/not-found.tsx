import { SearchX } from "lucide-react";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { PageHead } from "@/components/dashboard/frame/page-head";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";

export default function NotFound() {
  const t = useTranslations("missing");
  return (
    <>
      <PageHead title={t("heading")} />
      <Card>
        <EmptyState
          Icon={SearchX}
          title={t("nothing")}
          action={
            <Button asChild>
              <Link href="/dashboard/orders">{t("showOrders")}</Link>
            </Button>
          }
        >
          <p>{t("noOrder")}</p>
        </EmptyState>
      </Card>
    </>
  );
}
