import { notFound } from "next/navigation";
import { useTranslations } from "next-intl";
import { getTranslations } from "next-intl/server";
import { getContext } from "@/app/context";
import { pageTitle } from "@/app/language/page-title";
import { requirePerson } from "@/app/session";
import { Received } from "@/components/dashboard/deposits/table";
import { Fact, Facts } from "@/components/dashboard/frame/facts";
import { Pager } from "@/components/dashboard/frame/list-ends";
import { PageHead } from "@/components/dashboard/frame/page-head";
import { TransferTable } from "@/components/dashboard/transfers/table";
import { Card } from "@/components/ui/card";
import { Identifier } from "@/components/ui/identifier";
import { Notice } from "@/components/ui/notice";
import { Refresher } from "@/components/ui/refresher";
import { Time } from "@/components/ui/time";
import { findDepositAddress } from "@/db/queries/deposits/deposit-list";
import { listTransfersOf } from "@/db/queries/transfers/transfer-list";
import { findDepositPage } from "@/lib/deposits/find-page";
import { displayAddress } from "@/lib/domain/addresses/address";
import { depositUrl } from "@/lib/domain/deposits/deposit-wire";
import { PAGE_SIZE, parseListCursor, type SearchParams, writeListCursor } from "@/lib/domain/list-cursor";
import { getNetwork, networkTitle } from "@/lib/domain/networks";

type DepositAddress = NonNullable<Awaited<ReturnType<typeof findDepositAddress>>>;

export const generateMetadata = pageTitle("deposit");

const REFRESH_MS = 4_000;

interface Props {
  params: Promise<{ depositId: string }>;
  searchParams: Promise<SearchParams>;
}

export default async function DepositPage({ params, searchParams }: Props) {
  const { merchantId } = await requirePerson();
  const context = getContext();
  const { env, pool, now } = context;
  const t = await getTranslations("deposits");
  const { depositId } = await params;
  const deposit = await findDepositAddress(pool.db, merchantId, depositId);
  if (!deposit) notFound();
  const shown = await findDepositPage(pool.db, context, depositId, now());
  const page = await listTransfersOf(
    pool.db,
    merchantId,
    { kind: "deposit", id: depositId },
    parseListCursor(await searchParams),
    PAGE_SIZE,
  );
  const { customerRef, network, open, reversed } = deposit;
  const path = `/dashboard/deposits/${depositId}`;
  return (
    <>
      {open > 0 ? <Refresher everyMs={REFRESH_MS} /> : null}
      <PageHead
        back={{ href: "/dashboard/deposits", text: t("title") }}
        title={<span className="break-all">{customerRef}</span>}
        hint={networkTitle(getNetwork(network))}
      />
      {shown?.state === "broken" ? (
        <Notice tone="bad">{t("broken")}</Notice>
      ) : shown?.state === "closed" ? (
        <Notice tone="warn">{t("closed")}</Notice>
      ) : null}
      {reversed > 0 ? <Notice tone="bad">{t("lost", { count: reversed })}</Notice> : null}
      <div className="mt-4 grid items-start gap-4 first:mt-0 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <Card title={t("transfers")} isFlush>
          {page.rows.length > 0 ? (
            <TransferTable transfers={page.rows} now={now()} isSandbox={env.isSandbox} isOfOneOrder />
          ) : (
            <p className="px-4 pb-4 text-ink-soft sm:px-5">{t("noTransfers")}</p>
          )}
          <Pager
            newer={page.newer && path + writeListCursor(page.newer)}
            older={page.older && path + writeListCursor(page.older)}
          />
        </Card>
        <Details
          deposit={deposit}
          link={depositUrl(env.publicUrl, depositId)}
          isBroken={shown?.state === "broken"}
          now={now()}
        />
      </div>
    </>
  );
}

interface DetailsProps {
  deposit: DepositAddress;
  link: string;
  /** True if the integrity check of the address failed. The address is then not shown. */
  isBroken: boolean;
  now: Date;
}

function Details({ deposit, link, isBroken, now }: DetailsProps) {
  const t = useTranslations("deposits");
  const { id, network, address, sums, notifyUrl, createdAt } = deposit;
  return (
    <Card title={t("details")}>
      <Facts>
        <Fact name={t("received")}>
          <Received sums={sums} />
        </Fact>
        {isBroken ? null : (
          <Fact name={t("address")}>
            <Identifier text={displayAddress(getNetwork(network).family, address)} what={t("address")} />
          </Fact>
        )}
        <Fact name={t("page")}>
          <Identifier text={link} what={t("page")} href={link} />
        </Fact>
        <Fact name={t("id")}>
          <Identifier text={id} what={t("id")} />
        </Fact>
        <Fact name={t("notifyUrl")}>{notifyUrl ?? t("noNotifyUrl")}</Fact>
        <Fact name={t("since")}>
          <Time at={createdAt.toISOString()} now={now.toISOString()} />
        </Fact>
      </Facts>
    </Card>
  );
}
