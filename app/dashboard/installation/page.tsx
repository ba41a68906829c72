import Link from "next/link";
import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { getContext } from "@/app/context";
import { type ListedNetwork, NetworksCard } from "@/app/dashboard/installation/networks-card";
import { pageTitle } from "@/app/language/page-title";
import { requirePerson } from "@/app/session";
import { PageHead } from "@/components/dashboard/frame/page-head";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Cell, Table } from "@/components/ui/table";
import { Time } from "@/components/ui/time";
import { listClosures, listKnownNetworks, listOpen } from "@/db/queries/networks/closures";
import { listInstalledShops } from "@/db/queries/users/installation";
import { findNetwork } from "@/lib/domain/networks";
import { NOTHING_OPEN } from "@/lib/domain/networks/closure";

export const generateMetadata = pageTitle("installation");

const PAGE_SIZE = 50;

interface InstallationProps {
  searchParams: Promise<{ after?: string | string[] }>;
}

export default async function InstallationPage({ searchParams }: InstallationProps) {
  const person = await requirePerson();
  if (!person.isOperator) notFound();
  const t = await getTranslations("installation");
  const head = [
    { text: t("shop") },
    { text: t("owners") },
    { text: t("people"), isRight: true },
    { text: t("orders"), isRight: true },
    { text: t("unmatched"), isRight: true },
    { text: t("lastSignIn") },
    { text: t("since") },
  ];
  const { after } = await searchParams;
  const { pool, env, ...context } = getContext();
  const now = context.now();
  const rows = await listInstalledShops(pool.db, typeof after === "string" ? after : "", PAGE_SIZE + 1, now);
  const shops = rows.slice(0, PAGE_SIZE);
  const last = shops.at(-1);
  const at = (moment: Date) => <Time at={moment.toISOString()} now={now.toISOString()} />;
  return (
    <>
      <PageHead
        title={t("title")}
        hint={t("hint")}
        action={
          <Button asChild look="primary">
            <Link href="/new-shop">{t("newShop")}</Link>
          </Button>
        }
      />
      <Card isFlush>
        <Table caption={t("caption")} head={head}>
          {shops.map((shop) => (
            <tr key={shop.id}>
              <Cell className="font-medium">{shop.name}</Cell>
              <Cell>{shop.owners.join(", ") || t("none")}</Cell>
              <Cell isRight>{shop.people}</Cell>
              <Cell isRight>{shop.orders}</Cell>
              <Cell isRight>{shop.unmatched}</Cell>
              <Cell>{shop.signedInAt ? at(shop.signedInAt) : t("notLately")}</Cell>
              <Cell>{at(shop.createdAt)}</Cell>
            </tr>
          ))}
        </Table>
      </Card>
      {rows.length > PAGE_SIZE && last ? (
        <div className="mt-3">
          <Button asChild>
            <Link href={`/dashboard/installation?after=${last.id}`}>{t("more")}</Link>
          </Button>
        </div>
      ) : null}
      <div className="mt-6">
        <NetworksCard networks={await listNetworks(pool.db, env, now)} now={now} />
      </div>
    </>
  );
}

const LISTED_ORDERS = 20;

/** Returns the networks that are enabled, or that were watched or closed before. */
async function listNetworks(
  db: Parameters<typeof listOpen>[0],
  { rpcUrls }: { rpcUrls: ReadonlyMap<string, unknown> },
  now: Date,
): Promise<ListedNetwork[]> {
  const [known, closures, open] = await Promise.all([
    listKnownNetworks(db),
    listClosures(db),
    listOpen(db, LISTED_ORDERS, now),
  ]);
  return [...new Set([...rpcUrls.keys(), ...known])].map((id) => ({
    id,
    name: findNetwork(id)?.name ?? id,
    closure: closures.get(id) ?? null,
    open: open.get(id) ?? NOTHING_OPEN,
  }));
}
