import { useTranslations } from "next-intl";
import { Fact, Facts } from "@/components/dashboard/frame/facts";
import { Uses } from "@/components/dashboard/links/table";
import { linkAmount, sumTexts } from "@/components/dashboard/links/texts";
import { Identifier } from "@/components/ui/identifier";
import { Time } from "@/components/ui/time";
import type { PaymentLink } from "@/lib/domain/links/link";
import type { LinkUses } from "@/lib/domain/links/link-wire";
import { type Currency, getNetwork, networkTitle } from "@/lib/domain/networks";

interface LinkFactsProps {
  link: PaymentLink & LinkUses;
  sums: readonly { network: string; currency: Currency; paidUnits: bigint }[];
  now: Date;
}

/** Renders the details of a payment link. */
export function LinkFacts({ link, sums, now }: LinkFactsProps) {
  const t = useTranslations("linkPages");
  const time = (at: Date) => <Time at={at.toISOString()} now={now.toISOString()} hasExact />;
  const paid = sumTexts(sums);
  const { expiresAt, closedAt, currency, network, subject, noteLabel } = link;
  return (
    <Facts>
      {subject === null ? null : <Fact name={t("subject")}>{subject}</Fact>}
      <Fact name={t("amount")}>{linkAmount(link, t)}</Fact>
      <Fact name={t("currency")}>{currency ?? t("payerChooses")}</Fact>
      <Fact name={t("network")}>{network === null ? t("payerChooses") : networkTitle(getNetwork(network))}</Fact>
      {noteLabel === null ? null : <Fact name={t("note")}>{noteLabel}</Fact>}
      <Fact name={t("uses")}>
        <Uses link={link} />
        {link.maxUses === null ? <span className="block text-ink-soft text-xs">{t("anyNumber")}</span> : null}
      </Fact>
      <Fact name={t("paid")}>
        {paid.length === 0 ? "–" : paid.join(", ")}
        <span className="block text-ink-soft text-xs">{t("paidOrders", { count: link.paidOrders })}</span>
      </Fact>
      <Fact name={t(expiresAt && expiresAt <= now ? "expired" : "expires")}>
        {expiresAt ? time(expiresAt) : t("never")}
      </Fact>
      <Fact name={t("created")}>{time(link.createdAt)}</Fact>
      {closedAt ? <Fact name={t("closed")}>{time(closedAt)}</Fact> : null}
      <Fact name={t("id")}>
        <Identifier text={link.id} what={t("id")} />
      </Fact>
      {link.mchLinkId ? <Fact name={t("number")}>{link.mchLinkId}</Fact> : null}
    </Facts>
  );
}
