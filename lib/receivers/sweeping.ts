import type { Db } from "@/db/client";
import { findSource } from "@/db/queries/merchants/address-sources";
import { listTrials } from "@/db/queries/merchants/receiver-trials";
import { findCursor } from "@/db/queries/networks/cursors";
import { type AskedBalance, askForBalances } from "@/db/queries/transfers/balances";
import {
  isOwnDerived,
  listOwn,
  listOwnBalances,
  listReadings,
  type OwnBalance,
  type ReadingState,
} from "@/db/queries/transfers/sweepable";
import { canonicalAddress, displayAddress, validateAddress } from "@/lib/domain/addresses/address";
import { type AddressOrigin, isOwnAddress } from "@/lib/domain/addresses/own-addresses";
import {
  COIN_DECIMALS,
  heldToken,
  partByWorth,
  type Sweepable,
  type SweepRow,
  sweepBatches,
  sweepGas,
  transferCalldata,
} from "@/lib/domain/addresses/sweep";
import { ACCOUNT_PATHS } from "@/lib/domain/addresses/xpub";
import type { AppSecret } from "@/lib/domain/keys/app-secret";
import { formatUnits, parseUnits } from "@/lib/domain/money";
import { allNetworks, COIN, COIN_NAME, getNetwork, type Network } from "@/lib/domain/networks";
import { type Problem, problem } from "@/lib/domain/problems/problem";
import type { Cell } from "@/lib/domain/reports";
import { originOf } from "@/lib/merchants/derive-addresses";

/** The minimum time between two reads of the same balance. Each balance costs every endpoint of its network one call. */
const ASK_AGAIN_MS = 60_000;
const CONCURRENCY = 500;
const MAX_ROWS = 5_000;

type SwitchedOn = ReadonlySet<string>;
/** The network families whose addresses are derived. */
const FAMILIES = ["evm", "tron"] as const;
const networksOf = (family: Network["family"], isOn: SwitchedOn) =>
  allNetworks().filter((network) => network.family === family && isOn.has(network.id));

/**
 * Requests the balances of a merchant's receivers and derived addresses from the workers, on every enabled network of their family,
 * because payers may select the wrong one. Addresses that never had an order come last. On TRON, such addresses are left out, because each
 * balance costs a call. Safe to repeat.
 * @returns the number of balances being read
 */
export async function askSweepable(db: Db, isOn: SwitchedOn, merchantId: string, now: Date): Promise<number> {
  const since = new Date(now.getTime() - ASK_AGAIN_MS);
  const later = new Date(now.getTime() + 1);
  let count = 0;
  for (const family of FAMILIES) {
    const networks = networksOf(family, isOn);
    let after = "";
    for (;;) {
      const own = await listOwn(db, merchantId, { family, after, onlyServed: family === "tron", limit: CONCURRENCY });
      for (const hasServed of [true, false]) {
        const some = own.filter((one) => one.hasServed === hasServed).map(({ address }) => address);
        for (const network of some.length > 0 ? networks : [])
          count += await askForBalances(db, merchantId, heldOf(network, some), { since, now: hasServed ? now : later });
      }
      after = own.at(-1)?.address ?? "";
      if (own.length < CONCURRENCY) break;
    }
  }
  return count;
}

function heldOf({ id: network, family, tokens }: Network, addresses: readonly string[]): AskedBalance[] {
  const held: Pick<AskedBalance, "currency" | "token">[] = tokens.map(({ contract, currency }) => ({
    currency,
    token: canonicalAddress(family, contract),
  }));
  if (family === "evm") held.push({ currency: COIN_NAME, token: COIN });
  return addresses.flatMap((address) => held.map((one) => ({ network, address, ...one })));
}

/** Returns the progress of balance reads on each network where they are not complete. */
export async function readingStates(db: Db, isOn: SwitchedOn, merchantId: string): Promise<ReadingState[]> {
  return listReadings(
    db,
    merchantId,
    FAMILIES.flatMap((family) => networksOf(family, isOn).map(({ id }) => id)),
  );
}

/**
 * Returns the balances of a merchant's receivers and derived addresses per network. Lists only addresses derived from a source whose MAC
 * is valid, so that no change in the database can redirect a transaction.
 * @param minMicro the smallest balance to return, in millionths of a token
 */
export async function listSweepable(
  db: Db,
  { appSecret }: { appSecret: AppSecret },
  isOn: SwitchedOn,
  merchantId: string,
  minMicro = 0n,
): Promise<Sweepable[]> {
  const found: Sweepable[] = [];
  for (const family of FAMILIES) {
    const networks = networksOf(family, isOn).map(({ id }) => id);
    const balances = await listOwnBalances(db, merchantId, { family, networks }, MAX_ROWS);
    const groups = Map.groupBy(balances, ({ network, sourceId }) => `${network} ${sourceId}`);
    for (const group of groups.values()) {
      const one = await sweepableOf(db, appSecret, { merchantId, group, minMicro });
      if (one) found.push(one);
    }
  }
  return found;
}

async function sweepableOf(
  db: Db,
  appSecret: AppSecret,
  { merchantId, group, minMicro }: { merchantId: string; group: readonly OwnBalance[]; minMicro: bigint },
): Promise<Sweepable | null> {
  const [first] = group;
  if (!first) return null;
  const { network, sourceId, kind } = first;
  const source = await findSource(db, merchantId, sourceId, kind, { withRemoved: true });
  const origin = source && openOrigin(() => originOf(appSecret, source));
  if (!source || !origin) return null;
  const verified = group.filter(({ sourceIndex, address }) => isOwnAddress(origin, sourceIndex, address));
  if (verified.length === 0) return null;
  const all = verified.map(({ sourceIndex: index, address, currency, token, baseUnits, readAt }) => {
    const path = kind === "xpub" ? `${ACCOUNT_PATHS[origin.family]}/0/${index}` : null;
    return { address, index, currency, token, baseUnits, readAt, path };
  });
  const cursor = await findCursor(db, network);
  const { gasPrice: wei = null, gasPriceAt = null } = cursor ?? {};
  const isForGas = ({ token }: SweepRow) => kind === "xpub" && token === COIN;
  const coins = all.filter(isForGas);
  const held = all.filter((row) => !isForGas(row));
  if (held.length === 0) return null;
  const { worth: rows, small } = partByWorth(kind, network, held, { minMicro, gasPrice: wei });
  const trials = await listTrials(db, merchantId, sourceId);
  const hasFactory = trials.some((trial) => trial.network === network && (trial.hasFactory || trial.triedAt !== null));
  const gasPrice = wei === null || gasPriceAt === null ? null : { wei, at: gasPriceAt };
  const shown = {
    network,
    sourceId,
    label: source.label,
    kind,
    rows,
    small,
    coins,
    hasFactory,
    gas: sweepGas(kind, rows),
    gasPrice,
  };
  if (kind === "xpub") return { ...shown, treasury: null, batches: [] };
  return { ...shown, treasury: origin.key, batches: hasFactory ? sweepBatches(origin.key, rows) : [] };
}

function openOrigin(open: () => AddressOrigin): AddressOrigin | null {
  try {
    return open();
  } catch {
    return null;
  }
}

/**
 * Parses the smallest balance to sweep, for example "5" or "0.5". Returns millionths of a token, 0 for an empty string, or null if it is
 * not a number.
 */
export function parseMinAmount(text: string): bigint | null {
  return text.trim() === "" ? 0n : parseUnits(text.trim(), 6);
}

const COLUMNS: readonly [head: string, value: (row: SweepRow, network: Network) => Cell][] = [
  ["network", (_, { id }) => id],
  ["address", ({ address }, { family }) => displayAddress(family, address)],
  ["derivation_path", ({ path }) => path],
  ["currency", ({ currency }, { id }) => heldToken(id, currency).symbol],
  ["token", ({ token }, { family }) => displayAddress(family, token)],
  ["amount", (row, { id }) => ({ decimal: formatUnits(row.baseUnits, heldToken(id, row.currency).decimals) })],
  // The owner of the keys fills in the destination; it is never read from the database.
  ["to", () => null],
];

/** Returns an unsigned list for the wallet that has the keys: each balance with its address and derivation path. */
export function sweepSheet({ network, rows }: Sweepable) {
  const row = getNetwork(network);
  async function* all(): AsyncGenerator<Cell[][]> {
    yield rows.map((one) => COLUMNS.map(([, value]) => value(one, row)));
  }
  return { name: "Sweep", head: COLUMNS.map(([name]) => name), rows: all() };
}

/**
 * Validates the destination for sweeping a public key's addresses on a network.
 * @returns the canonical form, or the problem: it is not an address on this network, or it is one of the swept addresses
 */
export async function validateTarget(
  db: Db,
  merchantId: string,
  network: Network,
  text: string,
): Promise<{ to: string } | { problem: Problem }> {
  if (!text.trim()) return { problem: problem("sweep_target_missing") };
  const read = validateAddress(network, text);
  if ("problem" in read) return read;
  if (!(await isOwnDerived(db, merchantId, network.family, read.address))) return { to: read.address };
  return { problem: problem("sweep_target_serves_orders") };
}

/**
 * Returns unsigned transfers for a program that has the keys: sender, recipient, amount, the derivation path of the key, the native coin
 * available for gas, and on EVM networks the transaction. Amounts are decimal strings in base units and in whole tokens.
 * @param to the canonical form that `validateTarget` returned
 */
export function sweepPlan({ network: id, rows, coins, gasPrice }: Sweepable, to: string, now: Date): string {
  const network = getNetwork(id);
  const shown = (address: string) => displayAddress(network.family, address);
  const coinAt = new Map(coins.map(({ address, baseUnits }) => [address, baseUnits]));
  const transfers = rows.map(({ address, path, token, currency, baseUnits }) => {
    const { symbol, decimals } = heldToken(id, currency);
    return {
      from: shown(address),
      derivation_path: path,
      to: shown(to),
      currency: symbol,
      token: shown(token),
      decimals,
      base_units: baseUnits.toString(),
      amount: formatUnits(baseUnits, decimals),
      ...(network.family === "evm" && {
        coin: formatUnits(coinAt.get(address) ?? 0n, COIN_DECIMALS),
        transaction: { to: shown(token), value: "0", data: transferCalldata(to, baseUnits) },
      }),
    };
  });
  const facts = { network: id, chain_id: network.chainId, created_at: now.toISOString(), to: shown(to) };
  return JSON.stringify({ ...facts, gas_price: gasPrice?.wei.toString() ?? null, transfers }, null, 2);
}
