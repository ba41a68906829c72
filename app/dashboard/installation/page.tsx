import type { Metadata } from "next";
import Link from "next/link";
import { notFound } from "next/navigation";
import { getContext } from "@/app/context";
import { requirePerson } from "@/app/session";
import { PageHead } from "@/components/dashboard/frame/page-head";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Cell, Table } from "@/components/ui/table";
import { Time } from "@/components/ui/time";
import { listInstalledShops } from "@/db/queries/people/installation";

export const metadata: Metadata = { title: "This installation" };

const PAGE_SIZE = 50;
const HEAD = [
  { text: "Shop" },
  { text: "Owners" },
  { text: "People", isRight: true },
  { text: "Orders, 24 h", isRight: true },
  { text: "Unmatched", isRight: true },
  { text: "Last sign-in" },
  { text: "Since" },
];

interface InstallationProps {
  searchParams: Promise<{ after?: string | string[] }>;
}

export default async function InstallationPage({ searchParams }: InstallationProps) {
  const person = await requirePerson();
  if (!person.isOperator) notFound();
  const { after } = await searchParams;
  const { pool, ...context } = getContext();
  const now = context.now();
  const rows = await listInstalledShops(pool.db, typeof after === "string" ? after : "", PAGE_SIZE + 1, now);
  const shops = rows.slice(0, PAGE_SIZE);
  const last = shops.at(-1);
  const at = (moment: Date) => <Time at={moment.toISOString()} now={now.toISOString()} />;
  return (
    <>
      <PageHead
        title="This installation"
        hint="All its shops. What they sell and to whom only their own people see."
        action={
          <Button asChild look="primary">
            <Link href="/new-shop">New shop</Link>
          </Button>
        }
      />
      <Card isFlush>
        <Table caption="Shops of this installation" head={HEAD}>
          {shops.map((shop) => (
            <tr key={shop.id}>
              <Cell className="font-medium">{shop.name}</Cell>
              <Cell>{shop.owners.join(", ") || "nobody"}</Cell>
              <Cell isRight>{shop.people}</Cell>
              <Cell isRight>{shop.orders}</Cell>
              <Cell isRight>{shop.unmatched}</Cell>
              <Cell>{shop.signedInAt ? at(shop.signedInAt) : "not lately"}</Cell>
              <Cell>{at(shop.createdAt)}</Cell>
            </tr>
          ))}
        </Table>
      </Card>
      {rows.length > PAGE_SIZE && last ? (
        <div className="mt-3">
          <Button asChild>
            <Link href={`/dashboard/installation?after=${last.id}`}>More</Link>
          </Button>
        </div>
      ) : null}
    </>
  );
}
