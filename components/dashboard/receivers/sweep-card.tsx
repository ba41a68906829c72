import { Download } from "lucide-react";
import Link from "next/link";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Amount } from "@/components/dashboard/frame/amount";
import { CallDetails, type SentCall } from "@/components/dashboard/receivers/call-details";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Identifier } from "@/components/ui/identifier";
import { Notice } from "@/components/ui/notice";
import { Time } from "@/components/ui/time";
import { displayAddress } from "@/lib/domain/addresses/address";
import type { SourceKind } from "@/lib/domain/addresses/load";
import { type Currency, getNetwork } from "@/lib/domain/networks";

interface HeldRow {
  address: string;
  index: number;
  currency: Currency;
  token: string;
  baseUnits: bigint;
  readAt: Date;
}

interface SweepCardProps {
  network: string;
  sourceId: string;
  label: string;
  kind: SourceKind;
  treasury: string | null;
  rows: readonly HeldRow[];
  batches: readonly (SentCall & { indexes: readonly number[] })[];
  /** Whether the factory is known to be on the network. */
  hasFactory: boolean;
  now: Date;
  /** Where the file is: for Safe, or an unsigned list. */
  file: string;
  /** What sends each batch. */
  actions: readonly ReactNode[];
}

const MOST_SHOWN = 20;

/** What lies on the addresses of one source on one network, and how it is swept. */
export function SweepCard({
  network: id,
  label,
  kind,
  treasury,
  rows,
  batches,
  now,
  file,
  actions,
  sourceId,
  hasFactory,
}: SweepCardProps) {
  const t = useTranslations("receivers");
  const network = getNetwork(id);
  const name = label || t(kind === "receiver" ? "unnamed" : "sweeping.key");
  return (
    <Card title={`${network.name} · ${name}`} action={<Sums network={id} rows={rows} />}>
      <div className="grid grid-cols-1 gap-4" data-sweep={`${id} ${sourceId}`}>
        {treasury ? (
          <p className="text-[0.8125rem]">
            <span className="text-ink-soft">{t("treasury")}</span>{" "}
            <Identifier text={displayAddress("evm", treasury)} what={t("treasury")} />
          </p>
        ) : (
          <p className="text-ink-soft">{t("sweeping.keyHint")}</p>
        )}
        <ul className="grid gap-1.5">
          {rows.slice(0, MOST_SHOWN).map((row) => (
            <li key={row.address + row.token} className="flex flex-wrap items-center justify-between gap-x-3">
              <Identifier text={displayAddress(network.family, row.address)} what={t("sweeping.address")} isShort />
              <span className="text-[0.8125rem]">
                <Amount units={row.baseUnits} network={id} currency={row.currency} isBare />{" "}
                <span className="text-ink-soft">
                  <Time at={row.readAt.toISOString()} now={now.toISOString()} />
                </span>
              </span>
            </li>
          ))}
        </ul>
        {rows.length > MOST_SHOWN ? (
          <p className="text-ink-soft">{t("sweeping.more", { count: rows.length - MOST_SHOWN })}</p>
        ) : null}
        {treasury && !hasFactory ? (
          <Notice
            tone="warn"
            action={
              <Button asChild size="small">
                <Link href={`/dashboard/settings/addresses/receivers/${sourceId}`}>{t("try")}</Link>
              </Button>
            }
          >
            {t("sweeping.noFactory", { network: network.name })}
          </Notice>
        ) : null}
        {(hasFactory ? batches : []).map((batch, index) => (
          <section key={batch.data} className="grid grid-cols-1 gap-2 border-line border-t pt-3">
            <p className="font-medium">
              {t("sweeping.batch", {
                number: String(index + 1),
                all: String(batches.length),
                count: batch.indexes.length,
              })}
            </p>
            {actions[index]}
            <CallDetails call={batch} />
          </section>
        ))}
        <div>
          <Button asChild size="small">
            <a href={file} download>
              <Download aria-hidden /> {t(kind === "receiver" ? "sweeping.safe" : "sweeping.list")}
            </a>
          </Button>
        </div>
      </div>
    </Card>
  );
}

function Sums({ network, rows }: { network: string; rows: readonly HeldRow[] }) {
  const sums = Map.groupBy(rows, ({ currency }) => currency);
  return (
    <p className="flex flex-wrap gap-x-3">
      {[...sums].map(([currency, some]) => (
        <Amount
          key={currency}
          units={some.reduce((sum, { baseUnits }) => sum + baseUnits, 0n)}
          {...{ network, currency }}
          isBare
        />
      ))}
    </p>
  );
}
