import { formatUnits } from "@/lib/domain/money";
import { getNetwork, getToken } from "@/lib/domain/networks";
import { type TokenRef, tokenName, tokenOf } from "@/lib/domain/transfers/transfer";

interface AmountProps {
  units: bigint;
  network: string;
  currency: string;
  /** True to hide the network, if it is shown beside the amount. */
  isBare?: boolean;
}

/** Renders an amount with its currency and network. */
export function Amount({ units, network, currency, isBare }: AmountProps) {
  return (
    <span className="whitespace-nowrap tabular-nums">
      <span className="font-medium">{amountText(units, network, currency)}</span>{" "}
      <span className="text-ink-soft">
        {currency}
        {isBare ? null : ` · ${getNetwork(network).name}`}
      </span>
    </span>
  );
}

interface TransferAmountProps {
  transfer: TokenRef & { baseUnits: bigint };
  /** True to hide the network, as for `Amount`. */
  isBare?: boolean;
}

/** Renders the amount of a transfer. A look-alike is never shown under the name of a currency. */
export function TransferAmount({ transfer, isBare }: TransferAmountProps) {
  const { amount, token } = transferParts(transfer);
  return (
    <span className="whitespace-nowrap tabular-nums">
      <span className="font-medium">{amount}</span>{" "}
      <span className="text-ink-soft">
        {token}
        {isBare ? null : ` · ${getNetwork(transfer.network).name}`}
      </span>
    </span>
  );
}

/** Returns the amount and token of a transfer: "12.50 bridged USDT". */
export function transferText(transfer: TokenRef & { baseUnits: bigint }): string {
  const { amount, token } = transferParts(transfer);
  return `${amount} ${token}`;
}

function transferParts(transfer: TokenRef & { baseUnits: bigint }): { amount: string; token: string } {
  const token = tokenOf(transfer);
  return { amount: grouped(transfer.baseUnits, token.decimals), token: tokenName(token) };
}

const MIN_FRACTION = 2;

/** Returns "1,234.50": exact, grouped by thousands, with at least two decimals. */
export function amountText(units: bigint, network: string, currency: string): string {
  return grouped(units, getToken(getNetwork(network), currency).decimals);
}

function grouped(units: bigint, decimals: number): string {
  const [whole = "0", fraction = ""] = formatUnits(units, decimals).split(".");
  return `${whole.replace(/\B(?=(\d{3})+$)/g, ",")}.${fraction.padEnd(MIN_FRACTION, "0")}`;
}
