import type { Db } from "@/db/client";
import { findCursor, writeGasPrice } from "@/db/queries/networks/cursors";
import {
  askForBalances,
  countLedger,
  type ListedBalance,
  listBalances,
  listDueBalances,
  listHolders,
  writeBalance,
} from "@/db/queries/transfers/balances";
import { ChainError, type ChainSource } from "@/lib/chains/endpoints/source";
import { canonicalAddress, displayAddress } from "@/lib/domain/addresses/address";
import { formatUnits } from "@/lib/domain/money";
import { allNetworks, getNetwork, type Network } from "@/lib/domain/networks";
import type { Cell } from "@/lib/domain/reports";
import { differenceOf } from "@/lib/domain/transfers/balance";
import { tokenOf } from "@/lib/domain/transfers/transfer";
import type { Log } from "@/lib/log";

/** The minimum time between two reads of the same balance. Each balance costs every endpoint of its network one call. */
const ASK_AGAIN_MS = 300_000;
/**
 * The age from which the cursor is too old for balances to be read at its height. Every node stores the state of a block for about a
 * hundred blocks.
 */
const FRESH_MS = 15_000;
const BATCH = 10;
/** The batch size on networks where a contract may return many balances per call. */
const LARGE_BATCH = 100;
const GAS_PRICE_MS = 30_000;
const MAX_LISTED = 2_000;

type SwitchedOn = ReadonlySet<string>;

/**
 * Requests the balances of a merchant's addresses from the workers, which read them in their next round. The caller does not wait. Safe to
 * repeat.
 * @returns the number of balances being read
 */
export async function askBalances(db: Db, isOn: SwitchedOn, merchantId: string, now: Date): Promise<number> {
  const since = new Date(now.getTime() - ASK_AGAIN_MS);
  let count = 0;
  for (const { id: network, family, tokens } of allNetworks().filter(({ id }) => isOn.has(id))) {
    const holders = await listHolders(db, merchantId, network);
    const asked = holders.flatMap((address) =>
      tokens.map(({ contract, currency }) => ({
        network,
        address,
        currency,
        token: canonicalAddress(family, contract),
      })),
    );
    count += await askForBalances(db, merchantId, asked, { since, now });
  }
  return count;
}

/** The dependencies for reading balances in a network's worker. */
export interface BalanceContext {
  network: Network;
  source: Pick<ChainSource, "balances" | "receivers">;
  log: Log;
}

/**
 * Reads a bounded number of requested balances right after the network was read, without an additional round. Then sums the ledger up to
 * the height of each balance. If no endpoint responds, the remaining balances are read at the next request. Safe to repeat and to run in
 * several workers.
 * @returns the number of balances read
 */
export async function answerBalances(db: Db, { network, source, log }: BalanceContext, now: Date): Promise<number> {
  const due = await listDueBalances(db, network.id, network.family === "evm" ? LARGE_BATCH : BATCH);
  const cursor = await findCursor(db, network.id);
  if (cursor?.height == null) return 0;
  const { height, headHeight, caughtUpAt, respondedAt } = cursor;
  const isLate = (at: Date | null) => at === null || now.getTime() - at.getTime() >= FRESH_MS;
  const isFresh = !isLate(caughtUpAt) || (height === headHeight && !isLate(respondedAt));
  const holders = (isFresh ? due : []).map(({ address, token }) => ({ owner: address, token }));
  const answers = holders.length === 0 ? [] : await source.balances(holders, height);
  for (const [at, answer] of answers.entries()) {
    const row = due[at];
    if (row) await writeBalance(db, row, answer, now);
    if (answer.kind === "contradicted")
      log.warn({ network: network.id, said: answer.said }, "endpoints contradict each other about a balance");
  }
  if (due.length > 0) await noteGasPrice(db, { network, source, log }, cursor.gasPriceAt, now);
  await countLedger(db, network.id, height, LARGE_BATCH);
  return answers.length;
}

/** Stores the gas price for the sweep page. If no endpoint responds, the earlier price is kept. */
async function noteGasPrice(
  db: Db,
  { network, source, log }: BalanceContext,
  readAt: Date | null,
  now: Date,
): Promise<void> {
  if (!source.receivers || (readAt && now.getTime() - readAt.getTime() < GAS_PRICE_MS)) return;
  try {
    await writeGasPrice(db, network.id, await source.receivers.gasPrice(), now);
  } catch (err) {
    if (!(err instanceof ChainError)) throw err;
    log.warn({ err, network: network.id }, "no endpoint returned the gas price");
  }
}

/** Returns the balances of a merchant's addresses on enabled networks, as they were last read. */
export async function readBalances(db: Db, isOn: SwitchedOn, merchantId: string): Promise<ListedBalance[]> {
  return listBalances(db, merchantId, [...isOn], MAX_LISTED);
}

/** Returns the time when balances can be requested again; null: now. */
export function nextAskAt(balances: readonly Pick<ListedBalance, "askedAt">[], now: Date): Date | null {
  const last = Math.max(...balances.map(({ askedAt }) => askedAt.getTime()));
  const next = new Date(last + ASK_AGAIN_MS);
  return balances.length > 0 && next > now ? next : null;
}

const COLUMNS: readonly [head: string, value: (row: ListedBalance) => Cell][] = [
  ["network", ({ network }) => network],
  ["currency", ({ currency }) => currency],
  ["address", ({ network, address }) => displayAddress(getNetwork(network).family, address)],
  ["label", ({ label }) => label],
  ["ledger_in", (row) => amountOf(row, row.inUnits)],
  ["ledger_refunded", (row) => amountOf(row, row.backUnits)],
  ["chain_balance", (row) => amountOf(row, row.balanceUnits)],
  ["difference", (row) => amountOf(row, differenceIn(row))],
  ["read_at", ({ readAt }) => readAt],
  ["height", ({ height }) => (height === null ? null : { decimal: String(height) })],
  ["last_look", ({ outcome }) => outcome],
  ["token", ({ network, token }) => displayAddress(getNetwork(network).family, token)],
];

/** Returns a sheet with the ledger's sums of each address beside its on-chain balance. */
export function balanceSheet(db: Db, isOn: SwitchedOn, merchantId: string) {
  async function* rows(): AsyncGenerator<Cell[][]> {
    const balances = await readBalances(db, isOn, merchantId);
    yield balances.map((row) => COLUMNS.map(([, value]) => value(row)));
  }
  return { name: "Balances", head: COLUMNS.map(([name]) => name), rows: rows() };
}

/** Returns the excess of the chain's balance over the ledger's; null until both are known. */
export function differenceIn({ inUnits, backUnits, balanceUnits }: ListedBalance): bigint | null {
  if (inUnits === null || backUnits === null || balanceUnits === null) return null;
  return differenceOf({ inUnits, backUnits, balanceUnits });
}

function amountOf(row: ListedBalance, units: bigint | null): Cell {
  return units === null ? null : { decimal: formatUnits(units, tokenOf(row).decimals) };
}
