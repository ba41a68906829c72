import { MapPin } from "lucide-react";
import Link from "next/link";
import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { getContext } from "@/app/context";
import { NewOrderForm } from "@/app/dashboard/orders/new/new-order-form";
import { pageTitle } from "@/app/language/page-title";
import { requirePerson } from "@/app/session";
import { PageHead } from "@/components/dashboard/frame/page-head";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { listAddressedNetworks } from "@/db/queries/merchants/networks";
import { MAX_SUBJECT, MCH_ORDER_ID } from "@/lib/domain/api/limits";
import { newId } from "@/lib/domain/id";
import { may } from "@/lib/domain/keys/role";
import { namesOf } from "@/lib/domain/networks";
import { methodsOn } from "@/lib/merchants/payment-methods";

export const generateMetadata = pageTitle("newOrder");

/** The length of a generated order number, long enough to be unique. */
const MADE_UP_LENGTH = 16;

export default async function NewOrderPage() {
  const { merchantId, role } = await requirePerson();
  if (!may(role, "work")) notFound();
  const { pool, env, now } = getContext();
  const t = await getTranslations("newOrder");
  const orders = await getTranslations("orders");
  const addressed = await listAddressedNetworks(pool.db, merchantId, now());
  // Networks with problems are offered, too: a user who selects one sees the problem and may wait.
  const offered = methodsOn(
    addressed.map((one) => ({ ...one, isOpen: true })),
    env,
  );
  return (
    <>
      <PageHead back={{ href: "/dashboard/orders", text: orders("title") }} title={t("title")} hint={t("hint")} />
      {offered.length > 0 ? (
        <NewOrderForm
          networks={namesOf(offered.map(({ network }) => network))}
          madeUp={`link-${newId(now()).slice(-MADE_UP_LENGTH)}`}
          max={{ subject: MAX_SUBJECT, number: MCH_ORDER_ID.max }}
        />
      ) : (
        <Card>
          <EmptyState
            Icon={MapPin}
            title={t("noneOffered")}
            action={
              <Button asChild look="primary">
                <Link href="/dashboard/settings/addresses">{t("toAddresses")}</Link>
              </Button>
            }
          >
            <p>{t("noneOfferedHint")}</p>
          </EmptyState>
        </Card>
      )}
    </>
  );
}
