import Link from "next/link";
import { useTranslations } from "next-intl";
import { LinkState } from "@/components/dashboard/links/state";
import { linkAmount, sumTexts } from "@/components/dashboard/links/texts";
import { Cell, Table } from "@/components/ui/table";
import { Time } from "@/components/ui/time";
import { linkStatus, type PaymentLink } from "@/lib/domain/links/link";
import type { LinkUses } from "@/lib/domain/links/link-wire";
import type { Currency } from "@/lib/domain/networks";

type Row = PaymentLink & LinkUses;

interface LinkTableProps {
  links: readonly Row[];
  /** The sums that the orders of the links received, by token. */
  sums: readonly { linkId: string; network: string; currency: Currency; paidUnits: bigint }[];
  now: Date;
}

const WIDE = "hidden sm:table-cell";

/** Renders payment links, one per row. On a phone, the first column also contains the status, the uses and the sum. */
export function LinkTable({ links, sums, now }: LinkTableProps) {
  const t = useTranslations("linkPages");
  const head = [
    { text: t("link") },
    { text: t("status"), className: WIDE },
    { text: t("uses"), isRight: true, className: WIDE },
    { text: t("paid"), isRight: true, className: WIDE },
    { text: t("expires"), isRight: true, className: "hidden md:table-cell" },
  ];
  return (
    <Table caption={t("title")} head={head}>
      {links.map((link) => (
        <LinkLine
          key={link.id}
          link={link}
          paid={sumTexts(sums.filter(({ linkId }) => linkId === link.id))}
          now={now}
        />
      ))}
    </Table>
  );
}

function LinkLine({ link, paid, now }: { link: Row; paid: readonly string[]; now: Date }) {
  const t = useTranslations("linkPages");
  const status = linkStatus(link, link.uses, now);
  return (
    <tr className="hover:bg-sunken/50">
      <Cell className="max-w-64">
        <Link
          href={`/dashboard/links/${link.id}`}
          className="block truncate font-medium leading-6 hover:underline"
          title={link.subject ?? undefined}
        >
          {link.subject ?? linkAmount(link, t)}
        </Link>
        <span className="block text-ink-soft text-xs">
          {link.subject === null ? t("untitled") : linkAmount(link, t)}
        </span>
        <span className="mt-1 flex flex-wrap items-center gap-x-2 gap-y-1 text-ink-soft text-xs sm:hidden">
          <LinkState status={status} />
          <span>{t("paidOrders", { count: link.paidOrders })}</span>
          <span>{paid.join(", ")}</span>
        </span>
      </Cell>
      <Cell className={WIDE}>
        <LinkState status={status} />
      </Cell>
      <Cell isRight className={WIDE}>
        <Uses link={link} />
      </Cell>
      <Cell isRight className={WIDE}>
        {paid.length === 0 ? (
          <span className="text-ink-soft">–</span>
        ) : (
          paid.map((sum) => (
            <span key={sum} className="block whitespace-nowrap tabular-nums">
              {sum}
            </span>
          ))
        )}
        <span className="block text-ink-soft text-xs">{t("paidOrders", { count: link.paidOrders })}</span>
      </Cell>
      <Cell isRight className="hidden text-ink-soft md:table-cell">
        {link.expiresAt ? <Time at={link.expiresAt.toISOString()} now={now.toISOString()} /> : t("never")}
      </Cell>
    </tr>
  );
}

/** Renders the number of orders of a link that are open or paid, and the maximum if there is one. */
export function Uses({ link: { uses, maxUses } }: { link: Row }) {
  const t = useTranslations("linkPages");
  return <span className="tabular-nums">{maxUses === null ? uses : t("usesOf", { uses, max: maxUses })}</span>;
}
