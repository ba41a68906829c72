import { eq } from "drizzle-orm";
import pino from "pino";
import postgres from "postgres";
import type { DbPool } from "@/db/client";
import { claimCursor } from "@/db/queries/networks/cursors";
import { addressSources, merchants } from "@/db/schema";
import { ChainError } from "@/lib/chains/endpoints/source";
import { createEvmSource } from "@/lib/chains/evm/source";
import { newId } from "@/lib/domain/id";
import type { Actor } from "@/lib/domain/keys/role";
import { getNetwork, type Network } from "@/lib/domain/networks";
import { addressVerifier } from "@/lib/merchants/vault";
import { createBlockReader, type NetworkReader } from "@/lib/watch/network-reader";
import { seedAddress, seedMerchant, TEST_APP_SECRET } from "@/testing/database/seed";
import type { Command } from "@/testing/properties/command";
import { Crash, crashBefore, openFragileDb } from "@/testing/properties/fragile-db";
import { ScriptedChain } from "@/testing/properties/scripted-chain";
import { ENDPOINT_URLS, type Fault, scriptedMethods } from "@/testing/properties/scripted-endpoint";
import { type QuoteRow, readSnapshot, type Snapshot } from "@/testing/properties/snapshot";
import { emptyTables, type TableCopy } from "@/testing/properties/table-copies";
import { createNetworkWatcher, type NetworkWatcher } from "@/workers/watch-network";

const START_MS = Date.UTC(2026, 0, 1, 12);
const FIRST_BLOCKS = 400;
const OWNER = "01property";
const RENEW_MS = 5_000;
const MAX_ROUNDS = 20;
const LATE_WINDOW_SECONDS = 3_600;
const SETTLED_HOLD_SECONDS = 600;

/** Rows of the networks table with fewer confirmations, so that a few commands are enough to reach them. */
const NETWORKS: readonly Network[] = [
  { ...getNetwork("ethereum"), finality: { by: "depth", depth: 3 }, lookAlikes: [] },
  { ...getNetwork("bsc"), blockMs: 1_500, finality: { by: "finalized", depth: 20, ms: 30_000 }, lookAlikes: [] },
];

const address = (number: number) => `0x${number.toString(16).padStart(40, "a")}`;
/** The merchants' addresses, the same on every network. */
const SHARED = [address(0x100), address(0x200)] as const;
const DEDICATED = [address(0x110), address(0x111)] as const;
/** An address derived from a public key of the first merchant. Its transfers are sweeps. */
export const SWEPT_FROM = address(0x120);

const BUSY = { hasPending: true, isConfirming: true, hasUnconfirmed: true, heldUntil: null };
const IDLE = { hasPending: false, isConfirming: false, hasUnconfirmed: true, heldUntil: null };

/** The merchants' own wallet, which pays refunds. */
export const WALLET = `0x${"bb".repeat(20)}`;

/** A special endpoint index that stands for all endpoints. */
export const ALL_ENDPOINTS = -1;

/** A network with its chain, the fault of its endpoints, and the worker that reads it. */
export interface WatchedChain {
  network: Network;
  chain: ScriptedChain;
  /**
   * The current fault. At most one endpoint returns wrong responses at a time, because no rule protects against two. All endpoints may
   * fail to respond at the same time.
   */
  fault: { endpoint: number; fault: Fault } | null;
  reader: NetworkReader;
  watcher: NetworkWatcher;
}

export interface Merchant {
  id: string;
  keyId: string;
  actor: Actor;
}

/** A hold as last read from the database. A restore or pruning may have removed it since. */
export type Hold = QuoteRow;

/** A database that successive runs reuse. */
export interface PropertyDb {
  pool: DbPool;
  /** The connection of the test itself, which never crashes. */
  sql: postgres.Sql;
  close(): Promise<void>;
}

export function openPropertyDb(url: string): PropertyDb {
  const pool = openFragileDb(url);
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  return { pool, sql, close: async () => void (await Promise.all([pool.close(), sql.end({ timeout: 5 })])) };
}

/** The environment of the service in one run: database, chains, merchants and clock. */
export class World {
  readonly #property: PropertyDb;
  #nowMs = START_MS;
  readonly merchants: Merchant[] = [];
  readonly chains: WatchedChain[] = [];
  /** All holds that have been read, by the ids of their quotes. */
  readonly holds = new Map<string, Hold>();
  /** The ids of quotes and transfers, with the number of the first snapshot that contained them. */
  readonly firstRead = new Map<string, number>();
  #snapshots = 0;
  /** The ids of confirmed transfers, with the hashes of the blocks in which they were confirmed. */
  readonly confirmedIn = new Map<string, string>();
  /** The quotes that a restore removed. */
  readonly lostQuotes = new Set<string>();
  /** The ids of orders that were canceled at any time. */
  readonly cancelled = new Set<string>();
  /** All events of the run, as lines for a failure report. */
  readonly history: string[] = [];
  /** Violations that a command itself found. */
  readonly violations: string[] = [];
  snapshot: Snapshot;
  dump: { tables: TableCopy[]; atMs: number } | null = null;
  /** The network whose chain changed last. */
  changedNetwork = "ethereum";
  /** The number of orders that were requested. */
  asked = 0;

  private constructor(property: PropertyDb, snapshot: Snapshot) {
    this.#property = property;
    this.snapshot = snapshot;
  }

  static async create(property: PropertyDb): Promise<World> {
    await emptyTables(property.sql);
    const world = new World(property, await readSnapshot(property.sql));
    await world.#addMerchants();
    for (const network of NETWORKS) await world.#addChain(network);
    for (const { network } of world.chains) await world.watch(network.id);
    world.snapshot = await readSnapshot(property.sql);
    return world;
  }

  get db() {
    return this.#property.pool.db;
  }

  get sql() {
    return this.#property.sql;
  }

  now(): Date {
    return new Date(this.#nowMs);
  }

  get nowMs(): number {
    return this.#nowMs;
  }

  /** Advances the clock. During that time, workers only renew their leases. */
  pass(ms: number): void {
    const endMs = this.#nowMs + ms;
    while (this.#nowMs < endMs) {
      this.#nowMs = Math.min(endMs, this.#nowMs + RENEW_MS);
      for (const { watcher } of this.chains) watcher.hold("renewed", this.now());
    }
  }

  /** Sets the clock back, as a failover to a server with a different clock does. */
  setClockBack(ms: number): void {
    this.#nowMs -= ms;
  }

  readonly log = pino({ level: "silent" });
  readonly context = { publicUrl: "https://pay.example.com", log: this.log, appSecret: TEST_APP_SECRET };
  readonly choosing = {
    ...this.context,
    env: { rpcUrls: new Map(NETWORKS.map(({ id }) => [id, [...ENDPOINT_URLS]])) },
    isVerifiedAddress: addressVerifier(TEST_APP_SECRET),
  };

  chain(networkId: string): WatchedChain {
    const found = this.chains.find(({ network }) => network.id === networkId);
    if (!found) throw new Error(`There is no chain of ${networkId}`);
    return found;
  }

  merchantOf(id: string): Merchant {
    const found = this.merchants.find((one) => one.id === id);
    if (!found) throw new Error(`There is no merchant ${id}`);
    return found;
  }

  /** Returns the shared address of a merchant, or of the one that is not `other`. */
  addressOf(merchantId: string | null, other: string): string {
    const index = this.merchants.findIndex(({ id }) => (merchantId === null ? id !== other : id === merchantId));
    return SHARED[index] ?? SHARED[0];
  }

  /** Returns true if an address belongs to a merchant. */
  isReceiving(to: string): boolean {
    return to === SWEPT_FROM || [...SHARED, ...DEDICATED].includes(to);
  }

  /** Mines blocks up to the current time, and at least `blocks` of them. */
  mine({ chain }: WatchedChain, blocks = 0, isLate = false, aheadMs = 0): void {
    if (blocks === 0 && chain.headMs + chain.network.blockMs > this.#nowMs) return;
    chain.mine(Math.max(1, blocks), this.#nowMs + aheadMs, isLate);
    this.pass(Math.max(0, chain.headMs - aheadMs - this.#nowMs));
  }

  /** Runs rounds of a network's worker until no work is left. */
  async watch(networkId: string, isIdle = false): Promise<void> {
    const { watcher } = this.chain(networkId);
    watcher.see(isIdle ? IDLE : BUSY);
    for (let rounds = 0; rounds < MAX_ROUNDS; rounds++) {
      const coolDownMs = await watcher.watch().catch(unlessOfChain);
      if (coolDownMs !== 0) break;
    }
    await watcher.verify().catch(unlessOfChain);
  }

  /** Replaces the workers with those of a new process. */
  restart(): void {
    for (const one of this.chains) Object.assign(one, this.#workerOf(one));
  }

  /**
   * Runs a use case in a process that crashes before the statement with the number `crash`, and then again in a new process.
   * @returns the result of the last run
   */
  async withCrash<T>(crash: number | null, work: () => Promise<T>): Promise<T> {
    if (crash === null) return work();
    try {
      return await crashBefore(crash, work);
    } catch (error) {
      if (!isCrash(error)) throw error;
      this.history.push(`    the process crashes before statement ${crash}, and the command is repeated`);
    }
    this.restart();
    return work();
  }

  /** Reads the database again. @returns the previous snapshot */
  async refresh(): Promise<Snapshot> {
    const before = this.snapshot;
    this.snapshot = await readSnapshot(this.sql);
    this.#snapshots += 1;
    for (const { id } of [...this.snapshot.quotes.values(), ...this.snapshot.transfers])
      if (!this.firstRead.has(id)) this.firstRead.set(id, this.#snapshots);
    for (const { id, status, blockHash } of this.snapshot.transfers)
      if (status === "confirmed" && !this.confirmedIn.has(id)) this.confirmedIn.set(id, blockHash);
    for (const quote of this.snapshot.quotes.values()) this.holds.set(quote.id, quote);
    for (const { id, status } of this.snapshot.orders.values()) if (status === "cancelled") this.cancelled.add(id);
    return before;
  }

  async #addMerchants(): Promise<void> {
    const now = this.now();
    for (const [index, shared] of SHARED.entries()) {
      const { id, keyId } = await seedMerchant(this.db, now);
      this.merchants.push({ id, keyId, actor: { userId: "user", merchantId: id, role: "owner" } });
      const own = index === 0 ? DEDICATED : [];
      for (const { id: network } of NETWORKS) {
        await seedAddress(this.db, { merchantId: id, network, address: shared }, now);
        for (const address of own)
          await seedAddress(this.db, { merchantId: id, network, address, kind: "dedicated" }, now);
      }
      if (index === 0) await this.#addSweptAddress(id);
    }
    const terms = { lateWindowSeconds: LATE_WINDOW_SECONDS, settledHoldSeconds: SETTLED_HOLD_SECONDS };
    await this.db.update(merchants).set(terms);
    const [, linking] = this.merchants;
    if (linking) await this.db.update(merchants).set({ linksShortPayments: true }).where(eq(merchants.id, linking.id));
  }

  async #addSweptAddress(merchantId: string): Promise<void> {
    const createdAt = this.now();
    const sourceId = newId(this.now());
    const key = { keyCipher: "-", keyHash: "-", networks: NETWORKS.map(({ id }) => id), max: 1, nextIndex: 1 };
    await this.db.insert(addressSources).values({ id: sourceId, merchantId, family: "evm", ...key, createdAt });
    for (const { id: network } of NETWORKS) {
      const row = { id: newId(createdAt), merchantId, network, address: SWEPT_FROM, kind: "dedicated" as const };
      await seedAddress(this.db, { ...row, address: SWEPT_FROM }, createdAt);
      await this.db.execute(`update receiving_addresses set source = 'xpub', source_id = '${sourceId}', source_index = 0,
        removed_at = '${createdAt.toISOString()}' where merchant_id = '${merchantId}' and network = '${network}' and address = '${SWEPT_FROM}'`);
    }
  }

  async #addChain(network: Network): Promise<void> {
    const chain = new ScriptedChain(network, this.#nowMs, FIRST_BLOCKS);
    const one = { network, chain, fault: null };
    this.chains.push({ ...one, ...this.#workerOf(one) });
    await claimCursor(this.db, network.id, OWNER, 1);
    // Leases expire by the database's clock, not by the simulated clock of the test.
    await this.sql`update cursors set lease_until = 'infinity' where network = ${network.id}`;
  }

  #workerOf({ network, chain }: Pick<WatchedChain, "network" | "chain">) {
    const now = () => this.now();
    const faultOf = (endpoint: number) => {
      const fault = this.chains.find((one) => one.chain === chain)?.fault;
      return fault?.endpoint === endpoint || fault?.endpoint === ALL_ENDPOINTS ? fault.fault : null;
    };
    const source = createEvmSource(network, { urls: ENDPOINT_URLS, now }, scriptedMethods(chain, faultOf));
    const reader = createBlockReader(this.db, source, network, { ...this.context, owner: OWNER, clock: now });
    const options = { db: this.db, ctx: this.context, reader, network, owner: OWNER, now, endpoints: () => [] };
    const watcher = createNetworkWatcher(options);
    watcher.hold("taken", now());
    return { reader, watcher };
  }
}

function isCrash(error: unknown): boolean {
  return error instanceof Crash || (error instanceof Error && isCrash(error.cause));
}

/**
 * Ignores errors from endpoints, which are part of the test.
 * @throws every other error
 */
export function unlessOfChain(error: unknown): null {
  if (error instanceof ChainError) return null;
  throw error;
}

/** Returns a command as one readable line. */
export function describeCommand(command: Command): string {
  const { do: name, ...fields } = command;
  const shown = Object.entries(fields).filter(([, value]) => value !== null && value !== false);
  return [name, ...shown.map(([field, value]) => `${field}=${value}`)].join(" ");
}
