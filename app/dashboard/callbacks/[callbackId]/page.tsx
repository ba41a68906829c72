import Link from "next/link";
import { notFound } from "next/navigation";
import { getLocale, getTranslations } from "next-intl/server";
import { getContext } from "@/app/context";
import { describeAttempts } from "@/app/dashboard/callbacks/describe-attempts";
import { ResendButton } from "@/app/dashboard/orders/[tradeId]/resend-button";
import { pageTitle } from "@/app/language/page-title";
import { requirePerson } from "@/app/session";
import { PageHead } from "@/components/dashboard/frame/page-head";
import { CallbackPanel } from "@/components/dashboard/order/callback-panel";
import { Refresher } from "@/components/ui/refresher";
import { findCallback } from "@/db/queries/callbacks/callback-list";
import { mayChange } from "@/lib/domain/keys/role";

export const generateMetadata = pageTitle("callback");

const REFRESH_MS = 4_000;

export default async function CallbackPage({ params }: { params: Promise<{ callbackId: string }> }) {
  const { merchantId, role } = await requirePerson();
  const { pool, now } = getContext();
  const t = await getTranslations("callbacks");
  const { callbackId } = await params;
  const callback = await findCallback(pool.db, merchantId, decodeURIComponent(callbackId));
  if (!callback) notFound();
  const { target } = callback;
  return (
    <>
      {callback.status === "pending" ? <Refresher everyMs={REFRESH_MS} /> : null}
      <PageHead
        back={{ href: "/dashboard/callbacks", text: t("title") }}
        title={callback.type}
        hint={
          target.kind === "order" ? (
            <>
              {t("ofOrder")}{" "}
              <Link href={`/dashboard/orders/${target.id}`} className="font-medium text-ink hover:underline">
                {target.reference}
              </Link>
            </>
          ) : (
            t("ofCustomer", { customer: target.reference })
          )
        }
      />
      <CallbackPanel
        callback={await describeAttempts(await getLocale(), callback)}
        notifyUrl={callback.url}
        now={now()}
        resend={mayChange(role) ? <ResendButton callbackId={callback.id} /> : null}
      />
    </>
  );
}
