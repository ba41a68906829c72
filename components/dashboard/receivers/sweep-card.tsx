import { Download } from "lucide-react";
import Link from "next/link";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Amount } from "@/components/dashboard/frame/amount";
import { CallDetails } from "@/components/dashboard/receivers/call-details";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Identifier } from "@/components/ui/identifier";
import { Notice } from "@/components/ui/notice";
import { Time } from "@/components/ui/time";
import { displayAddress } from "@/lib/domain/addresses/address";
import { coinOf, heldToken, type Sweepable, type SweepRow } from "@/lib/domain/addresses/sweep";
import { formatUnits } from "@/lib/domain/money";
import { getNetwork, type Network } from "@/lib/domain/networks";

interface SweepCardProps {
  sweep: Sweepable;
  now: Date;
  /** The download URL of the sweep: a file for Safe, or an unsigned list. */
  file: string;
  /** The buttons that send each batch. */
  actions: readonly ReactNode[];
  /** The form for the destination of the sweep; only for the addresses of a public key. */
  target?: ReactNode;
}

const MAX_SHOWN = 20;
/** The unit to which fees are rounded up, so that none is understated. */
const FEE_STEP = 10n ** 12n;
const PRICE_STEP = 10n ** 6n;
const WEI_DECIMALS = 18;
const GWEI_DECIMALS = 9;

/** Renders the balances of one source on one network, with the actions that sweep them. */
export function SweepCard({ sweep, now, file, actions, target }: SweepCardProps) {
  const { network: id, label, kind, treasury, rows, small, batches, sourceId, hasFactory } = sweep;
  const t = useTranslations("receivers");
  const network = getNetwork(id);
  const name = label || t(kind === "receiver" ? "unnamed" : "sweeping.key");
  return (
    <Card title={`${network.name} · ${name}`} action={<Sums network={id} rows={rows} />}>
      <div className="grid grid-cols-1 gap-4" data-sweep={`${id} ${sourceId}`}>
        <Source treasury={treasury} />
        <Rows rows={rows} network={network} now={now} />
        {rows.length === 0 ? <p>{t("sweeping.nothingWorth")}</p> : null}
        {small.length > 0 ? (
          <p className="text-[0.8125rem] text-ink-soft">{t("sweeping.small", { count: small.length })}</p>
        ) : null}
        {rows.length > 0 && network.family === "evm" ? <Gas sweep={sweep} now={now} /> : null}
        {treasury && !hasFactory ? <NoFactory sourceId={sourceId} network={network.name} /> : null}
        {batches.map((batch, index) => (
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
        {rows.length > 0 ? target : null}
        {rows.length > 0 && (kind === "xpub" || hasFactory) ? (
          <div>
            <Button asChild size="small">
              <a href={file} download>
                <Download aria-hidden /> {t(kind === "receiver" ? "sweeping.safe" : "sweeping.list")}
              </a>
            </Button>
          </div>
        ) : null}
      </div>
    </Card>
  );
}

function Source({ treasury }: Pick<Sweepable, "treasury">) {
  const t = useTranslations("receivers");
  if (!treasury) return <p className="text-ink-soft">{t("sweeping.keyHint")}</p>;
  return (
    <p className="text-[0.8125rem]">
      <span className="text-ink-soft">{t("treasury")}</span>{" "}
      <Identifier text={displayAddress("evm", treasury)} what={t("treasury")} />
    </p>
  );
}

/** Renders the addresses with the highest balances, and the number of other addresses. */
function Rows({ rows, network, now }: { rows: readonly SweepRow[]; network: Network; now: Date }) {
  const t = useTranslations("receivers");
  return (
    <>
      <ul className="grid gap-1.5">
        {rows.slice(0, MAX_SHOWN).map((row) => (
          <li key={row.address + row.token} className="flex flex-wrap items-center justify-between gap-x-3">
            <Identifier text={displayAddress(network.family, row.address)} what={t("sweeping.address")} isShort />
            <span className="text-[0.8125rem]">
              <Held units={row.baseUnits} network={network.id} currency={row.currency} />{" "}
              <span className="text-ink-soft">
                <Time at={row.readAt.toISOString()} now={now.toISOString()} />
              </span>
            </span>
          </li>
        ))}
      </ul>
      {rows.length > MAX_SHOWN ? (
        <p className="text-ink-soft">{t("sweeping.more", { count: rows.length - MAX_SHOWN })}</p>
      ) : null}
    </>
  );
}

function NoFactory({ sourceId, network }: { sourceId: string; network: string }) {
  const t = useTranslations("receivers");
  const link = (
    <Button asChild size="small">
      <Link href={`/dashboard/settings/addresses/receivers/${sourceId}`}>{t("try")}</Link>
    </Button>
  );
  return (
    <Notice tone="warn" action={link}>
      {t("sweeping.noFactory", { network })}
    </Notice>
  );
}

function Gas({ sweep: { network, gas, gasPrice }, now }: { sweep: Sweepable; now: Date }) {
  const t = useTranslations("receivers");
  if (!gasPrice)
    return <p className="text-[0.8125rem] text-ink-soft">{t("sweeping.gasUnknown", { gas: Number(gas) })}</p>;
  const fee = {
    gas: Number(gas),
    fee: formatUnits(roundedUp(gas * gasPrice.wei, FEE_STEP), WEI_DECIMALS),
    coin: coinOf(getNetwork(network)),
    price: formatUnits(roundedUp(gasPrice.wei, PRICE_STEP), GWEI_DECIMALS),
  };
  return (
    <p className="text-[0.8125rem] text-ink-soft">
      {t("sweeping.gas", fee)} (<Time at={gasPrice.at.toISOString()} now={now.toISOString()} />)
    </p>
  );
}

const roundedUp = (units: bigint, step: bigint) => ((units + step - 1n) / step) * step;

/** Renders an amount of a token, or of the network's native coin, which is not among its tokens. */
function Held({ units, network, currency }: { units: bigint; network: string; currency: SweepRow["currency"] }) {
  if (currency !== "COIN") return <Amount {...{ units, network, currency }} isBare />;
  const { symbol, decimals } = heldToken(network, currency);
  return (
    <span className="whitespace-nowrap tabular-nums">
      <span className="font-medium">{formatUnits(units, decimals)}</span>{" "}
      <span className="text-ink-soft">{symbol}</span>
    </span>
  );
}

function Sums({ network, rows }: { network: string; rows: readonly SweepRow[] }) {
  const sums = Map.groupBy(rows, ({ currency }) => currency);
  return (
    <p className="flex flex-wrap gap-x-3">
      {[...sums].map(([currency, some]) => (
        <Held
          key={currency}
          units={some.reduce((sum, { baseUnits }) => sum + baseUnits, 0n)}
          {...{ network, currency }}
        />
      ))}
    </p>
  );
}
