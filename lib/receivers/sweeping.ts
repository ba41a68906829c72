import type { Db } from "@/db/client";
import { findSource } from "@/db/queries/merchants/address-sources";
import { listTrials } from "@/db/queries/merchants/receiver-trials";
import { askForBalances } from "@/db/queries/transfers/balances";
import { listOwnBalances, listServed, type OwnBalance } from "@/db/queries/transfers/sweepable";
import { canonicalAddress, displayAddress } from "@/lib/domain/addresses/address";
import type { SourceKind } from "@/lib/domain/addresses/load";
import { type AddressOrigin, isOwnAddress } from "@/lib/domain/addresses/own-addresses";
import { type SweepBatch, sweepBatches } from "@/lib/domain/addresses/sweep";
import { ACCOUNT_PATHS } from "@/lib/domain/addresses/xpub";
import type { AppSecret } from "@/lib/domain/keys/app-secret";
import { formatUnits } from "@/lib/domain/money";
import { allNetworks, type Currency, getNetwork, type Network } from "@/lib/domain/networks";
import type { Cell } from "@/lib/domain/reports";
import { tokenOf } from "@/lib/domain/transfers/transfer";
import { originOf } from "@/lib/merchants/derive-addresses";

/** What was asked for so lately is not asked for again: each balance costs every endpoint of its network a call. */
const ASK_AGAIN_MS = 60_000;
const MOST_ADDRESSES = 500;
const MOST_ROWS = 5_000;

type SwitchedOn = ReadonlySet<string>;
/** Families whose addresses are derived. */
const FAMILIES = ["evm", "tron"] as const;
const networksOf = (family: Network["family"], isOn: SwitchedOn) =>
  allNetworks().filter((network) => network.family === family && isOn.has(network.id));

/**
 * Has the workers read what lies on a merchant's receivers and derived addresses that served orders, on every network of their family
 * that is switched on: payers pick wrong ones. Safe to repeat.
 * @returns how many balances are looked up now
 */
export async function askSweepable(db: Db, isOn: SwitchedOn, merchantId: string, now: Date): Promise<number> {
  const since = new Date(now.getTime() - ASK_AGAIN_MS);
  let count = 0;
  for (const family of FAMILIES) {
    const addresses = await listServed(db, merchantId, family, MOST_ADDRESSES);
    for (const { id: network, tokens } of networksOf(family, isOn)) {
      const asked = addresses.flatMap((address) =>
        tokens.map(({ contract, currency }) => {
          const token = canonicalAddress(family, contract);
          return { network, address, currency, token };
        }),
      );
      if (asked.length > 0) count += await askForBalances(db, merchantId, asked, { since, now });
    }
  }
  return count;
}

export interface SweepRow {
  address: string;
  index: number;
  currency: Currency;
  token: string;
  baseUnits: bigint;
  readAt: Date;
  /** As a wallet that has the keys finds it; null for a receiver, which needs none. */
  path: string | null;
}

/** All that can be swept from one source on one network. */
export interface Sweepable {
  network: string;
  sourceId: string;
  label: string;
  kind: SourceKind;
  /** Where receivers send it; null for a public key's addresses. */
  treasury: string | null;
  rows: SweepRow[];
  /** None for a public key's addresses. */
  batches: SweepBatch[];
  /** Whether a look at the network saw the factory: without it the transactions would do nothing, and cost their gas. */
  hasFactory: boolean;
}

/**
 * What lies on a merchant's receivers and derived addresses, network by network. Only what its source gives, as the source's seal says
 * it, is listed: nothing that was changed in the database leads a transaction anywhere.
 */
export async function listSweepable(
  db: Db,
  { appSecret }: { appSecret: AppSecret },
  isOn: SwitchedOn,
  merchantId: string,
): Promise<Sweepable[]> {
  const found: Sweepable[] = [];
  for (const family of FAMILIES) {
    const networks = networksOf(family, isOn).map(({ id }) => id);
    const balances = await listOwnBalances(db, merchantId, { family, networks }, MOST_ROWS);
    const groups = Map.groupBy(balances, ({ network, sourceId }) => `${network} ${sourceId}`);
    for (const group of groups.values()) {
      const one = await sweepableOf(db, appSecret, merchantId, group);
      if (one) found.push(one);
    }
  }
  return found;
}

async function sweepableOf(
  db: Db,
  appSecret: AppSecret,
  merchantId: string,
  group: readonly OwnBalance[],
): Promise<Sweepable | null> {
  const [first] = group;
  if (!first) return null;
  const { network, sourceId, kind } = first;
  const source = await findSource(db, merchantId, sourceId, kind, { withRemoved: true });
  const origin = source && openOrigin(() => originOf(appSecret, source));
  if (!source || !origin) return null;
  const genuine = group.filter(({ sourceIndex, address }) => isOwnAddress(origin, sourceIndex, address));
  if (genuine.length === 0) return null;
  const rows = genuine.map(({ sourceIndex: index, address, currency, token, baseUnits, readAt }) => {
    const path = kind === "xpub" ? `${ACCOUNT_PATHS[origin.family]}/0/${index}` : null;
    return { address, index, currency, token, baseUnits, readAt, path };
  });
  const trials = await listTrials(db, merchantId, sourceId);
  const hasFactory = trials.some((trial) => trial.network === network && (trial.hasFactory || trial.triedAt !== null));
  const shown = { network, sourceId, label: source.label, kind, rows, hasFactory };
  if (kind === "xpub") return { ...shown, treasury: null, batches: [] };
  return { ...shown, treasury: origin.key, batches: sweepBatches(origin.key, rows) };
}

function openOrigin(open: () => AddressOrigin): AddressOrigin | null {
  try {
    return open();
  } catch {
    return null;
  }
}

const COLUMNS: readonly [head: string, value: (row: SweepRow, network: Network) => Cell][] = [
  ["network", (_, { id }) => id],
  ["address", ({ address }, { family }) => displayAddress(family, address)],
  ["derivation_path", ({ path }) => path],
  ["currency", ({ currency }) => currency],
  ["token", ({ token }, { family }) => displayAddress(family, token)],
  [
    "amount",
    (row, { id: network }) => ({ decimal: formatUnits(row.baseUnits, tokenOf({ ...row, network }).decimals) }),
  ],
  // Whoever has the keys knows where to: nobody else is asked, least of all the database.
  ["to", () => null],
];

/** An unsigned list for the wallet that has the keys: where what lies, and by which path its key is found. */
export function sweepSheet({ network, rows }: Sweepable) {
  const row = getNetwork(network);
  async function* all(): AsyncGenerator<Cell[][]> {
    yield rows.map((one) => COLUMNS.map(([, value]) => value(one, row)));
  }
  return { name: "Sweep", head: COLUMNS.map(([name]) => name), rows: all() };
}
