import { eq } from "drizzle-orm";
import pino from "pino";
import { expect } from "vitest";
import type { ChaosChain, ChaosPayment, Noise, Reorg, TrueTransfer } from "@/chaos/chains/chain";
import { keyOf, verifyLedger, verifyTimes } from "@/chaos/verifier/ledger";
import type { Db } from "@/db/client";
import { listContradicted } from "@/db/queries/transfers/observations";
import { callbacks, cursors, orders, quotes, transfers } from "@/db/schema";
import type { EndpointsOptions } from "@/lib/chains/endpoints/endpoint-call";
import { ChainError } from "@/lib/chains/endpoints/source";
import { readHealth } from "@/lib/http/health";
import { createNetworkReader, type NetworkReader, type ReaderContext } from "@/lib/watch/network-reader";
import { type Fate, fated } from "@/testing/chains/fate";
import { type seedAddress, seedOrder } from "@/testing/database/seed";
import { createEndpointLog } from "@/workers/endpoint-log";
import { createNetworkWatcher, type NetworkWatcher } from "@/workers/watch-network";

const log = pino({ level: "silent" });
const ctx = { publicUrl: "https://pay.example.com", log };
/** The time until orders expire. It is long, because chains that mine on demand are ahead of the clock. */
const LONG_SECONDS = 864_000;
const FIRST_UNITS = 1_000_000n;
const NO_ORDERS_UNITS = 7n;
/**
 * The time from the creation of an earlier order to the end of its hold on the amount. It is shorter than the half hour for which an order
 * is open and the subsequent hold together.
 */
const HELD_BEFORE_MS = 600_000;
/** The interval at which a worker renews its lease, before the lease expires. A worker stores no state after its lease has expired. */
const RENEW_MS = 3_000;
const MAX_ROUNDS = 150;
/** The number of blocks until inclusion: one of Solana's slots may be skipped. */
const MAX_BLOCKS_UNTIL_INCLUDED = 2;

/** The worker settings that a test can change. */
export type Settings = Pick<EndpointsOptions, "quorum" | "timeoutMs" | "headers"> & Pick<ReaderContext, "maxAccounts">;

interface Payment {
  order: string;
  baseUnits: bigint;
  /** The maximum height of the block that includes the payment. */
  height: number;
}

interface Included {
  order: string;
  to: string;
  baseUnits: bigint;
}

type Address = Awaited<ReturnType<typeof seedAddress>>;

/** A network as seen by a worker, with its real transfers. */
export class WatchedNetwork {
  readonly #chain: ChaosChain;
  readonly #db: Db;
  readonly #addresses: readonly Address[];
  #urls: readonly string[];
  readonly #settings: Settings;
  readonly #payments: Payment[] = [];
  /** The amounts of orders without a payment: a forged payment may be seen, and must be reverted. */
  readonly #unpaid = new Set<bigint>();
  #included = 0;
  readonly #from: number;
  #watcher: NetworkWatcher;
  /** The reader of the worker, which tests can query. */
  reader: NetworkReader | null = null;
  #expected: TrueTransfer[] = [];
  #aheadMs = 0;
  /** True if the cursor may pass a missing payment, because the second read will find it. */
  mayMiss = false;
  /** True if a reorg may have removed payments. */
  #isReorganised = false;

  constructor(chain: ChaosChain, db: Db, addresses: readonly Address[], urls: readonly string[], settings: Settings) {
    [this.#chain, this.#db, this.#addresses, this.#urls, this.#settings] = [chain, db, addresses, urls, settings];
    this.#from = chain.height;
    this.#watcher = this.#newWatcher();
  }

  readonly now = () => new Date(Date.now() + this.#aheadMs);

  /** Restarts the worker. @param urls the endpoints; unchanged by default */
  async restart(urls = this.#urls): Promise<void> {
    await this.#watcher.release();
    this.#urls = urls;
    this.#watcher = this.#newWatcher();
  }

  /** Creates an order that is not paid, although an endpoint may report a payment. */
  async wait(): Promise<ChaosPayment> {
    const { to, baseUnits } = await this.#include();
    this.#unpaid.add(baseUnits);
    return { currency: "USDT", to, baseUnits };
  }

  /**
   * Creates an unpaid order that held the amount of the next payment until some time before the newest block.
   * @returns its id
   */
  async holdBefore(agoMs: number): Promise<string> {
    const address = this.#addressOf(this.#included);
    const headMs = (await this.cursor())?.headTime?.getTime() ?? Date.now();
    const createdAt = new Date(headMs - agoMs - HELD_BEFORE_MS);
    const { id } = await seedOrder(this.#db, { address, baseUnits: this.#unitsOf(this.#included) }, createdAt);
    await this.#db.update(orders).set({ status: "expired" }).where(eq(orders.id, id));
    await this.#db
      .update(quotes)
      .set({ releasedAt: new Date(headMs) })
      .where(eq(quotes.orderId, id));
    return id;
  }

  /** Creates orders that are paid in the next block, all in one transaction. */
  async pay(count = 1): Promise<void> {
    const created: Included[] = [];
    for (let index = 0; index < count; index++) created.push(await this.#include());
    await this.#chain.send(created.map(({ to, baseUnits }) => ({ currency: "USDT", to, baseUnits })));
    await this.mine(MAX_BLOCKS_UNTIL_INCLUDED);
    this.#payments.push(...created.map(({ order, baseUnits }) => ({ order, baseUnits, height: this.#chain.height })));
  }

  async #include(): Promise<Included> {
    const number = this.#included++;
    const address = this.#addressOf(number);
    const baseUnits = this.#unitsOf(number);
    const notifyUrl = "http://127.0.0.1:9/callback";
    const seed = { address, baseUnits, notifyUrl, expiresInSeconds: LONG_SECONDS };
    return { order: (await seedOrder(this.#db, seed, new Date())).id, to: address.address, baseUnits };
  }

  #addressOf(number: number): Address {
    return this.#addresses[number % this.#addresses.length] as Address;
  }

  #unitsOf(number: number): bigint {
    return FIRST_UNITS + BigInt(number);
  }

  async mine(blocks: number): Promise<void> {
    await this.#chain.mine(blocks);
    this.#expected = await this.#chain.expected(new Set(this.#addresses.map(({ address }) => address)), this.#from);
  }

  /**
   * Replaces the newest blocks, which contain payments.
   * @param fate of their transactions: in a new block, in a later one, or removed
   */
  async reorg(how: Reorg, depth: number, fate: Fate): Promise<void> {
    this.#isReorganised = true;
    await this.#chain.reorg(how, depth, fated(fate));
    if (fate === "never") for (const { baseUnits } of this.#payments.splice(0)) this.#unpaid.add(baseUnits);
    await this.mine(MAX_BLOCKS_UNTIL_INCLUDED);
    for (const payment of this.#payments) payment.height = this.#chain.height;
  }

  /** Sends a transfer that is not a payment, with an amount that no order has. */
  async sendNoise(noise: Noise): Promise<void> {
    this.#unpaid.add(NO_ORDERS_UNITS);
    const payment = { currency: "USDT" as const, to: this.#addressOf(0).address, baseUnits: NO_ORDERS_UNITS };
    await this.#chain.sendNoise(noise, payment);
  }

  /** Sends two transfers to one address in one transaction. Neither is credited to an order. */
  async payTwice(): Promise<void> {
    this.#unpaid.add(NO_ORDERS_UNITS);
    this.#unpaid.add(2n * NO_ORDERS_UNITS);
    const payment = { currency: "USDT" as const, to: this.#addressOf(0).address, baseUnits: NO_ORDERS_UNITS };
    await this.#chain.send([payment, payment]);
    await this.mine(MAX_BLOCKS_UNTIL_INCLUDED);
  }

  /** Runs a round of the worker after some time. Endpoint errors are expected, other errors are not. */
  async round(afterMs = 1_000): Promise<void> {
    for (let left = afterMs; left > 0; left -= RENEW_MS) {
      this.#aheadMs += Math.min(left, RENEW_MS);
      this.#watcher.hold("renewed", this.now());
    }
    await this.#watcher.keepLease();
    await this.#watcher.watch().catch(throwUnlessOfChain);
    await this.#watcher.verify().catch(throwUnlessOfChain);
    expect(await this.falsehoods()).toEqual([]);
  }

  async rounds(count: number, afterMs?: number): Promise<void> {
    for (let number = 0; number < count; number++) await this.round(afterMs);
  }

  /** Runs rounds until a condition is true. */
  async until(isSo: () => Promise<boolean>, afterMs = 5_000): Promise<void> {
    for (let number = 0; number < MAX_ROUNDS; number++) {
      if (await isSo()) return;
      await this.round(afterMs);
    }
    expect(await this.differences()).toEqual([]);
    throw new Error(`It is not so after ${MAX_ROUNDS} rounds`);
  }

  /** Returns the number of payments in the ledger. */
  readonly seen = async () => (await this.ledger()).length;
  readonly paid = async () => (await this.#orders()).filter(({ status }) => status === "paid").length;

  /** Returns the entries of the ledger that are false, or premature. */
  async falsehoods(): Promise<string[]> {
    const [ledger, known, cursor] = await Promise.all([this.ledger(), this.#orders(), this.cursor()]);
    const final = new Set(this.#expected.map(keyOf));
    const missing = this.#payments.filter(({ baseUnits }) => !ledger.some((row) => row.baseUnits === baseUnits));
    const height = cursor?.height ?? -1;
    const paidFor = (id: string) => ledger.filter((row) => row.orderId === id && row.status === "confirmed").length;
    return [
      ...ledger
        .filter(({ baseUnits }) => !this.#unpaid.has(baseUnits))
        .filter((row) => !this.#payments.some(({ baseUnits }) => baseUnits === row.baseUnits))
        .map((row) => `${row.baseUnits} were never paid`),
      ...ledger
        .filter((row) => row.status === "confirmed" && !final.has(keyOf(row)))
        .map((row) => `${keyOf(row)} is confirmed and not final`),
      ...ledger
        .filter(({ status, baseUnits }) => status === "dropped" && !this.#isReorganised && !this.#unpaid.has(baseUnits))
        .map((row) => `${keyOf(row)} was taken back`),
      ...known
        .filter(({ id, status }) => (status === "paid" ? 1 : 0) !== paidFor(id))
        .map(({ id, status }) => `order ${id} is ${status} with ${paidFor(id)} payments`),
      ...missing
        .filter((payment) => !this.mayMiss && payment.height <= height)
        .map(({ baseUnits }) => `the cursor has passed the payment of ${baseUnits}`),
    ];
  }

  /**
   * Returns every final transfer on the chain that is missing or different in the ledger, and every ledger entry that is not on the chain.
   */
  async mistakes(): Promise<string[]> {
    const ledger = await this.ledger();
    const { lost, double, unclear } = verifyLedger(this.#expected, ledger);
    return [
      ...lost.map((text) => `lost: ${text}`),
      ...double.map((text) => `double: ${text}`),
      ...unclear.map((text) => `unclear: ${text}`),
      ...verifyTimes(this.#expected, ledger).map((text) => `time: ${text}`),
    ];
  }

  /** Returns the final transfers of known tokens on the chain. */
  get expected(): readonly TrueTransfer[] {
    return this.#expected;
  }

  /** Returns the differences between ledger and chain, and the orders without exactly one callback. */
  async differences(): Promise<string[]> {
    const reported = await this.#db.select().from(callbacks);
    const untold = this.#payments.filter(
      ({ order }) => reported.filter(({ orderId }) => orderId === order).length !== 1,
    );
    const isTrue = this.#expected.length === this.#payments.length;
    return [
      ...(isTrue ? [] : [`${this.#expected.length} of ${this.#payments.length} payments are final on the chain`]),
      ...(await this.mistakes()),
      ...untold.map(({ order }) => `order ${order} did not get exactly one callback`),
    ];
  }

  readonly isTrue = async () => (await this.differences()).length === 0;

  /** Returns the transfers of unpaid orders in the ledger. */
  async forged() {
    return (await this.ledger()).filter(({ baseUnits }) => this.#unpaid.has(baseUnits));
  }

  /** Returns the payments that are final on the chain, each with its true block time and its ledger entry. */
  async timed() {
    const ledger = await this.ledger();
    return this.#expected.map((transfer) => ({
      time: transfer.blockTime,
      stored: ledger.find((row) => keyOf(row) === keyOf(transfer)) ?? null,
      order: this.#payments.find(({ baseUnits }) => baseUnits === transfer.baseUnits)?.order,
    }));
  }

  async statusOf(order: string) {
    return (await this.#orders()).find(({ id }) => id === order)?.status;
  }

  async cursor() {
    const [row] = await this.#db.select().from(cursors).where(eq(cursors.network, this.#chain.network.id));
    return row;
  }

  /** Returns the warning of the network in `/api/health`, and the transfers that the home page lists for review. */
  async reported(): Promise<{ warning: string | null | undefined; disputed: string[] }> {
    const { id } = this.#chain.network;
    const { networks } = await readHealth(this.#db, new Map([[id, this.#urls]]), this.now(), log);
    const disputed = await listContradicted(this.#db, this.#addresses[0]?.merchantId ?? "", 10);
    return { warning: networks[id]?.warning, disputed: disputed.map((transfer) => transfer.id) };
  }

  /** Returns the transfers in the ledger. */
  async ledger() {
    const rows = await this.#db.select().from(transfers);
    return rows.map((row) => ({ ...row, isVerified: row.matchedAt !== null }));
  }

  #orders() {
    return this.#db.select().from(orders);
  }

  #newWatcher(): NetworkWatcher {
    const { network } = this.#chain;
    const db = this.#db;
    const endpoints = createEndpointLog(this.#urls, this.now);
    const { maxAccounts, ...settings } = this.#settings;
    const options = { urls: this.#urls, now: this.now, onEndpointError: endpoints.note, ...settings };
    const reader = createNetworkReader(db, network, options, {
      owner: "one",
      publicUrl: "https://pay.example.com",
      log,
      ...(maxAccounts === undefined ? {} : { maxAccounts }),
    });
    this.reader = reader;
    return createNetworkWatcher({ db, ctx, reader, network, owner: "one", now: this.now, endpoints: endpoints.read });
  }
}

function throwUnlessOfChain(error: unknown): void {
  if (!(error instanceof ChainError)) throw error;
}
