import { useFormatter, useTranslations } from "next-intl";
import { Amount } from "@/components/dashboard/frame/amount";
import { Cell, Table } from "@/components/ui/table";
import { Time } from "@/components/ui/time";
import { displayAddress, shorten } from "@/lib/domain/addresses/address";
import { type Currency, getNetwork } from "@/lib/domain/networks";
import { type BalanceOutcome, differenceOf, meaningOf, type ReportedBalance } from "@/lib/domain/transfers/balance";

export interface BalanceRow {
  network: string;
  address: string;
  token: string;
  currency: Currency;
  label: string;
  isDue: boolean;
  outcome: BalanceOutcome | null;
  contradiction: readonly ReportedBalance[] | null;
  balanceUnits: bigint | null;
  height: number | null;
  readAt: Date | null;
  inUnits: bigint | null;
  backUnits: bigint | null;
}

interface BalanceTableProps {
  balances: readonly BalanceRow[];
  now: Date;
}

/** Renders the ledger balance of each address beside its on-chain balance. Rows in which everything is zero are collapsed. */
export function BalanceTable({ balances, now }: BalanceTableProps) {
  const t = useTranslations("reports");
  const empty = balances.filter(isAllZero);
  const rest = balances.filter((row) => !isAllZero(row));
  return (
    <>
      {rest.length > 0 ? <BalanceRows balances={rest} now={now} /> : null}
      {empty.length > 0 ? (
        <details className="border-line border-t first:border-t-0">
          <summary className="cursor-pointer px-4 py-3 text-ink-soft sm:px-5">
            {t("allZero", { count: empty.length })}
          </summary>
          <BalanceRows balances={empty} now={now} />
        </details>
      ) : null}
    </>
  );
}

function isAllZero({ inUnits, backUnits, balanceUnits, contradiction }: BalanceRow): boolean {
  return inUnits === 0n && backUnits === 0n && balanceUnits === 0n && contradiction === null;
}

function BalanceRows({ balances, now }: BalanceTableProps) {
  const t = useTranslations("reports");
  const head = [
    { text: t("address") },
    { text: t("ledgerIn"), isRight: true },
    { text: t("ledgerBack"), isRight: true },
    { text: t("balance"), isRight: true },
    { text: t("difference"), isRight: true },
    { text: t("readAt"), isRight: true },
  ];
  return (
    <Table caption={t("balances")} head={head}>
      {balances.map((row) => (
        <BalanceLine key={row.network + row.address + row.token} row={row} now={now} />
      ))}
    </Table>
  );
}

function BalanceLine({ row, now }: { row: BalanceRow; now: Date }) {
  const t = useTranslations("reports");
  const { network, address, currency, label } = row;
  const shown = displayAddress(getNetwork(network).family, address);
  const compared = comparedOf(row);
  const amount = (units: bigint | null) =>
    units === null ? "–" : <Amount units={units} network={network} currency={currency} isBare />;
  return (
    <tr>
      <Cell>
        <span title={shown} className="font-mono text-[0.8125rem]">
          {shorten(shown)}
        </span>
        <span className="block text-ink-soft text-xs">
          {getNetwork(network).name}
          {label ? ` · ${label}` : null}
        </span>
      </Cell>
      <Cell isRight>{amount(row.inUnits)}</Cell>
      <Cell isRight>{amount(row.backUnits)}</Cell>
      <Cell isRight>{amount(row.balanceUnits)}</Cell>
      <Cell isRight>
        {compared ? (
          <span title={t(`meaning.${meaningOf(compared)}`)}>
            <Difference {...row} units={differenceOf(compared)} />
          </span>
        ) : (
          "–"
        )}
        {row.readAt && !compared ? (
          <span className="block whitespace-normal sm:min-w-28 text-ink-soft text-xs">{t("uncounted")}</span>
        ) : null}
      </Cell>
      <Cell isRight>
        <ReadAt row={row} now={now} />
      </Cell>
    </tr>
  );
}

function Difference({ units, network, currency }: { units: bigint; network: string; currency: Currency }) {
  const amount = <Amount units={units < 0n ? -units : units} network={network} currency={currency} isBare />;
  if (units === 0n) return amount;
  return (
    <span className="whitespace-nowrap text-warn">
      {units < 0n ? "−" : "+"}
      {amount}
    </span>
  );
}

function ReadAt({ row, now }: { row: BalanceRow; now: Date }) {
  const t = useTranslations("reports");
  const { isDue, outcome, readAt, height } = row;
  return (
    <>
      {readAt ? <Time at={readAt.toISOString()} now={now.toISOString()} /> : null}
      {height !== null && readAt ? (
        <span className="block text-ink-soft text-xs">{t("atHeight", { height })}</span>
      ) : null}
      {isDue ? <span className="block text-ink-soft text-xs">{t("waiting")}</span> : null}
      {!isDue && outcome !== null && outcome !== "read" ? (
        <span className="block whitespace-normal sm:min-w-36 text-warn text-xs">{t(`lastLook.${outcome}`)}</span>
      ) : null}
    </>
  );
}

function comparedOf({ inUnits, backUnits, balanceUnits }: BalanceRow) {
  if (inUnits === null || backUnits === null || balanceUnits === null) return null;
  return { inUnits, backUnits, balanceUnits };
}

/** Renders the possible reasons for the differences between ledger and on-chain balances, and the endpoints that contradict each other. */
export function BalanceSummary({ balances }: { balances: readonly BalanceRow[] }) {
  const t = useTranslations("reports");
  const format = useFormatter();
  const compared = balances.flatMap((row) => comparedOf(row) ?? []);
  const meanings = (["less", "more"] as const).filter((one) => compared.some((row) => meaningOf(row) === one));
  const contradicting = balances.find(({ contradiction }) => contradiction)?.contradiction ?? [];
  const isEqual = compared.length === balances.length && meanings.length === 0;
  if (!isEqual && meanings.length === 0 && contradicting.length === 0) return null;
  return (
    <div className="grid gap-1 border-line border-t px-4 py-3 text-[0.8125rem] text-ink-soft sm:px-5">
      {isEqual ? <p>{t("meaning.equal")}</p> : null}
      {meanings.map((one) => (
        <p key={one}>{t(`meaning.${one}`)}</p>
      ))}
      {contradicting.length > 0 ? (
        <p>
          {format.list(contradicting.map(({ endpoint, says }) => `${endpoint}: ${says}`))}. {t("contradictionAdvice")}
        </p>
      ) : null}
    </div>
  );
}
