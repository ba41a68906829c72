import { parseArgs } from "node:util";
import { type Deviation, PayProblem } from "@/sandbox/wallets/pay-order";
import { commandOf } from "@/scripts/root";

export const USAGE = `${commandOf("pay")} TRADE_ID [--amount 1.23] [--network bsc] [--currency USDC] [--times 2]`;

const MAX_TIMES = 100;

/** Parses the arguments after `npm run pay --`. @throws PayProblem that names the invalid argument. */
export function readPayArguments(args: readonly string[]): { tradeId: string; deviation: Deviation } {
  const { values, positionals } = parse(args);
  const [tradeId, ...more] = positionals;
  if (!tradeId) throw new PayProblem(`The trade_id of the order is missing.\n  ${USAGE}`);
  if (more.length > 0) throw new PayProblem(`Only one order at a time; also got "${more.join(" ")}".\n  ${USAGE}`);
  const times = values.times === undefined ? undefined : Number(values.times);
  if (times !== undefined && !(Number.isInteger(times) && times >= 1 && times <= MAX_TIMES))
    throw new PayProblem(`--times must be a whole number from 1 to ${MAX_TIMES}; got "${values.times}"`);
  return { tradeId, deviation: { ...values, times } };
}

function parse(args: readonly string[]) {
  const text = { type: "string" } as const;
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { amount: text, network: text, currency: text, times: text },
    });
  } catch (error) {
    throw new PayProblem(`${error instanceof Error ? error.message : error}.\n  ${USAGE}`);
  }
}
