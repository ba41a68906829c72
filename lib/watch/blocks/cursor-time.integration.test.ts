import { afterEach, expect, test } from "vitest";
import { scanNetwork } from "@/lib/watch/blocks/scan-network";
import { leaseNetwork } from "@/lib/watch/network-reader";
import { type Fault, type RpcProxy, startRpcProxy } from "@/testing/chains/evm";
import { useScanner } from "@/testing/watch/scanner";

const HOUR_MS = 3_600_000;
const { world, network, db, now, cursor, goBackTo, sourceOf } = useScanner();
const proxies: RpcProxy[] = [];
afterEach(() => Promise.all(proxies.splice(0).map((proxy) => proxy.stop())));

/** Starts an endpoint that returns blocks with their correct hashes and shifts the times of those at some heights. */
async function endpointThatShifts(shiftMs: number, isShifted = (_height: number) => true): Promise<string> {
  const fault: Fault = async ({ method }, _response, pass) => {
    const block = (await pass()) as { number: string; timestamp: string } | null;
    if (!block || !method.startsWith("eth_getBlockBy") || !isShifted(Number(block.number))) return block;
    return { ...block, timestamp: `0x${(Number(block.timestamp) + shiftMs / 1_000).toString(16)}` };
  };
  const proxy = await startRpcProxy(world.chain.node.url, fault);
  proxies.push(proxy);
  return proxy.url;
}

/** Returns the time in an hour, because blocks mined in quick succession are ahead of the clock. */
const later = () => new Date(now().getTime() + HOUR_MS);
async function readOneRange(at = later()) {
  await leaseNetwork(db(), network.id, "one");
  return scanNetwork(db(), world.source, network, world.scanner, at);
}
const trueTime = async (height: number) => (await sourceOf(world.chain.node.url).block({ height }))?.time;

test("a head that is stamped hours too late moves the cursor's time no further than now", async () => {
  world.source = sourceOf(await endpointThatShifts(6 * HOUR_MS));
  await world.chain.mine();
  const at = later();
  expect((await readOneRange(at)).isCaughtUp).toBe(true);
  expect(await cursor()).toMatchObject({ height: await world.chain.height(), blockTime: at });
});

test("at the end of a range in the past the earliest time counts that an endpoint returns", async () => {
  await world.chain.mine(100);
  await goBackTo(5);
  world.scanner.memory.spanBlocks = 10;
  const faulty = await endpointThatShifts(30_000, (height) => height > 5);
  world.source = sourceOf(faulty, world.chain.node.url);
  expect(await readOneRange()).toMatchObject({ kind: "advanced", isCaughtUp: false });
  expect(await cursor()).toMatchObject({ height: 15, blockTime: await trueTime(15) });
});

test("blocks whose times do not increase along the chain are not read, and another endpoint is asked next", async () => {
  await world.chain.mine(100);
  await goBackTo(5);
  world.scanner.memory.spanBlocks = 10;
  const faulty = await endpointThatShifts(6 * HOUR_MS, (height) => height === 15);
  world.source = sourceOf(faulty);
  await expect(readOneRange()).rejects.toMatchObject({ kind: "inconsistent" });
  expect((await cursor())?.height).toBe(5);
  world.source = sourceOf(faulty, world.chain.node.url);
  await expect(readOneRange()).rejects.toMatchObject({ kind: "inconsistent" });
  world.source.mistrust(await readOneRange().catch((error) => error));
  await readOneRange();
  expect(await cursor()).toMatchObject({ height: 15, blockTime: await trueTime(15) });
});
