import type { ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { startCallbackShop } from "@/chaos/callback-shop";
import { findViolations, type Violations } from "@/chaos/failover/find-violations";
import { startServerPair } from "@/chaos/failover/server-pair";
import { type Acknowledged, createShopper, NETWORK, type Shopper } from "@/chaos/failover/shopper";
import { createRandom } from "@/chaos/plan/random";
import { type BuiltProgram, buildProgram, endProgram } from "@/chaos/program";
import { addSellerAddress, createSeller } from "@/chaos/sellers";
import { APP_SECRET } from "@/chaos/world";
import { type Db, openDb } from "@/db/client";
import { migrate } from "@/db/migrate";
import { findCursor } from "@/db/queries/networks/cursors";
import { startEvmNode } from "@/sandbox/nodes/evm-node";

export interface FailoverOptions {
  orders: number;
  /** The target rate; a slower machine creates fewer orders. */
  perSecond: number;
  print: (line: string) => void;
}

export interface FailoverReport extends Violations {
  acknowledged: number;
  /** The number of orders acknowledged before the primary was killed. */
  before: number;
  /** The requests that were not acknowledged, by their response. */
  refused: Record<string, number>;
  settled: number;
  deliveries: number;
  /** True if an open payment page was updated with its payment by a notification from the promoted server. */
  isPageUpdated: boolean;
  /** The number of processes of the service that ended for any reason. */
  ended: number;
  complaints: string[];
}

const BLOCK_MS = 500;
const ADDRESSES = 4;
const SHOPPERS = 24;
/** The share of acknowledged orders at which the primary is killed. */
const KILL_AT = 1 / 3;
const SETTLE_MS = 240_000;
const STREAM_MS = 2 * SETTLE_MS;
const START_MS = 90_000;
const COMPLAINTS = 40;
const PRINT_EVERY_MS = 10_000;

/** Creates and pays orders continuously, kills the primary and promotes the standby, without restarting the web process or the worker. */
export async function runFailover({ orders, perSecond, print }: FailoverOptions): Promise<FailoverReport> {
  const started: (() => Promise<unknown>)[] = [];
  const own = <T>(part: T, stop: (part: T) => Promise<unknown>): T => {
    started.push(() => stop(part));
    return part;
  };
  try {
    const pair = own(await startServerPair(), ({ stop }) => stop());
    await migrate(pair.url);
    const { db } = own(openDb(pair.url, { work: "none", applicationName: "stablegate-chaos" }), ({ close }) => close());
    const node = own(await startEvmNode(NETWORK, { blockMs: BLOCK_MS }), ({ stop }) => stop());
    const seller = await createShop(db);
    const callbackShop = own(await startCallbackShop(() => seller.secret, createRandom(orders)), ({ stop }) => stop());
    const service = own(await startService(pair.url, node.url), ({ stop }) => stop());
    await until("the network is read", START_MS, async () => (await findCursor(db, NETWORK.id))?.caughtUpAt != null);
    const shopper = await createShopper(
      { origin: service.origin, apiKey: seller.apiKey, notifyUrl: `${callbackShop.url}/shop` },
      node,
    );
    print("primary and synchronous standby, web and worker run");

    const waiting = await shopper.buy(0);
    const page = watchPage(service.origin, waiting.tradeId).catch(() => false);
    const acknowledged: Acknowledged[] = [];
    const shopping = shopAll(shopper, { orders: orders - 1, perSecond }, acknowledged);
    shopping.catch(() => {}); // The promise is awaited below.
    const progress = () => print(`  ${acknowledged.length} acknowledged, refused ${JSON.stringify(shopper.refused)}`);
    const timer = setInterval(progress, PRINT_EVERY_MS);
    own(timer, async () => clearInterval(timer));
    await until("orders are created", SETTLE_MS, async () => acknowledged.length >= orders * KILL_AT);
    await pair.killPrimary();
    const before = acknowledged.length;
    print(`${before} orders are acknowledged; the primary is killed`);
    await until("a request is rejected", SETTLE_MS, async () => Object.keys(shopper.refused).length > 0);
    await pair.promote();
    print("the standby is promoted");
    await shopping;
    await shopper.pay(waiting);
    const isPageUpdated = await page;
    acknowledged.push(waiting);
    print(`${acknowledged.length} orders are acknowledged and paid; waiting until all are settled …`);
    let violations = await findViolations(db, acknowledged, callbackShop.reported);
    await until("all orders are settled and all events reported", SETTLE_MS, async () => {
      violations = await findViolations(db, acknowledged, callbackShop.reported);
      return violations.lost.length === 0;
    }).catch(() => {});
    return {
      ...violations,
      acknowledged: acknowledged.length,
      before,
      refused: shopper.refused,
      isPageUpdated,
      settled: acknowledged.length - violations.lost.length,
      deliveries: [...callbackShop.reported.values()].reduce((sum, { deliveries }) => sum + deliveries, 0),
      ended: service.children.filter(({ exitCode, signalCode }) => exitCode !== null || signalCode !== null).length,
      complaints: service.complaints,
    };
  } finally {
    for (const stop of started.reverse()) await stop();
  }
}

async function createShop(db: Db) {
  const seller = await createSeller(db, APP_SECRET, "shared", new Date());
  for (let count = 0; count < ADDRESSES; count++) {
    const address = `0x${randomBytes(20).toString("hex")}`;
    await addSellerAddress(db, APP_SECRET, seller, { network: NETWORK.id, address }, new Date());
  }
  return seller;
}

/** Creates each order at its scheduled time, or as soon as an earlier one is done, and pays it immediately. */
async function shopAll(
  shopper: Shopper,
  { orders, perSecond }: { orders: number; perSecond: number },
  acknowledged: Acknowledged[],
): Promise<void> {
  const startedAt = performance.now();
  let next = 1;
  const shop = async () => {
    while (next <= orders) {
      const number = next++;
      const early = startedAt + (number / perSecond) * 1_000 - performance.now();
      if (early > 0) await new Promise((resolve) => setTimeout(resolve, early));
      const order = await shopper.buy(number);
      acknowledged.push(order);
      await shopper.pay(order);
    }
  };
  await Promise.all(Array.from({ length: SHOPPERS }, shop));
}

interface Service {
  origin: string;
  children: readonly ChildProcess[];
  /** The last warnings and errors of the web process and the worker. */
  complaints: string[];
  stop(): Promise<void>;
}

/** Starts one web process and one worker that are configured with both servers. */
async function startService(databaseUrl: string, rpcUrl: string): Promise<Service> {
  const programs: BuiltProgram[] = [];
  const children: ChildProcess[] = [];
  const complaints: string[] = [];
  let origin: string | undefined;
  const listen = (line: string) => {
    origin ??= /listening at (http:\S+?)[;,\s]/.exec(line)?.[1];
    if (!/"level":[456]0\b/.test(line)) return;
    complaints.push(line);
    complaints.splice(0, Math.max(0, complaints.length - COMPLAINTS));
  };
  const stop = async () => {
    await Promise.all(children.map((child) => endProgram(child, "SIGTERM")));
    await Promise.all(programs.map((program) => program.remove()));
  };
  const env = {
    DATABASE_URL: databaseUrl,
    APP_SECRET,
    PUBLIC_URL: "http://localhost:3000",
    HOST: "127.0.0.1",
    PORT: "0",
    ETHEREUM_RPC_URLS: rpcUrl,
    IDLE_READING: "often",
    RATE_LIMIT_CREATES: "off",
    RATE_LIMIT_READS: "off",
    CALLBACK_ALLOW_CIDRS: "127.0.0.0/8,::1/128",
  };
  try {
    for (const entry of ["testing/web-program.ts", "scripts/roles/worker.ts"]) {
      const program = await buildProgram(entry);
      programs.push(program);
      children.push(program.start(env, listen));
    }
    await until("the web process is listening", START_MS, async () => origin !== undefined);
    return { origin: origin ?? "", children, complaints, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Resolves to true when the event stream of a payment page reports the payment, or to false if the stream ends first or takes too long. */
async function watchPage(origin: string, tradeId: string): Promise<boolean> {
  let received = "";
  const signal = AbortSignal.timeout(STREAM_MS);
  const stream = await fetch(`${origin}/api/pay/${tradeId}/events`, { signal });
  const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const part = await reader?.read();
    if (!part || part.done) return false;
    received += part.value;
    if (!/^data: [2-9]/m.test(received)) continue;
    await reader?.cancel();
    return true;
  }
}

async function until(what: string, patienceMs: number, isSo: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + patienceMs;
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`Timed out after ${patienceMs / 1_000} s: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
