import { formatUnits } from "@/lib/domain/money";
import { getNetwork, getToken } from "@/lib/domain/networks";

interface AmountProps {
  units: bigint;
  network: string;
  currency: string;
  /** Leaves out the network, where it stands beside. */
  isBare?: boolean;
}

/** An amount with currency and network, which belong together. */
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

const MIN_FRACTION = 2;

/** "1,234.50": exact, grouped by thousands, at least two digits after the point. */
export function amountText(units: bigint, network: string, currency: string): string {
  const found = getNetwork(network);
  const [whole = "0", fraction = ""] = formatUnits(units, getToken(found, currency).decimals).split(".");
  return `${whole.replace(/\B(?=(\d{3})+$)/g, ",")}.${fraction.padEnd(MIN_FRACTION, "0")}`;
}
