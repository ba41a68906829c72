import { afterEach, beforeEach, expect, test } from "vitest";
import type { ChaosChain } from "@/chaos/chains/chain";
import { startSolanaChaosChain } from "@/chaos/chains/solana-chain";
import { createRandom } from "@/chaos/plan/random";
import { getNetwork } from "@/lib/domain/networks";
import { jsonRpc } from "@/sandbox/nodes/json-rpc";

const random = createRandom(5);
let chain: ChaosChain;
let to: string;
beforeEach(async () => {
  chain = await startSolanaChaosChain(getNetwork("solana"), createRandom(5));
  to = chain.newAddress(random);
});
afterEach(() => chain.stop());

const pay = (baseUnits: number) => chain.send([{ currency: "USDT", to, baseUnits: BigInt(baseUnits) }]);
const expected = async () =>
  (await chain.expected(new Set([to]))).toSorted((one, two) => Number(one.baseUnits - two.baseUnits));
const slotAt = (commitment: string) => jsonRpc(chain.urls[0] ?? "", "getSlot", [{ commitment }]);

test("payments are of every version, and the truth has each of them", async () => {
  for (let units = 1; units <= 24; units++) {
    await pay(units);
    if (units % 5 === 0) await chain.mine(1);
  }
  await chain.settle();
  const found = await expected();
  expect(found.map(({ baseUnits }) => Number(baseUnits))).toEqual(Array.from({ length: 24 }, (_, index) => index + 1));
  expect(new Set(found.map(({ version }) => version))).toEqual(new Set(["legacy", "0", "1"]));
});

test("unreadable transactions are reported, transactions readable in the end are in the chain record, and nothing is lost", async () => {
  for (let times = 0; times < 8; times++) {
    await chain.sendNoise("unreadable", { currency: "USDT", to, baseUnits: 9n });
    await pay(100 + times);
    await chain.mine(1);
  }
  await chain.settle();
  const dust = (await expected()).filter(({ baseUnits }) => baseUnits === 1n);
  const unreadable = (await chain.unreadable?.()) ?? [];
  expect(dust.length + unreadable.length).toBe(8);
  expect(unreadable.length).toBeGreaterThan(0);
  expect(dust.length).toBeGreaterThan(0);
  expect((await expected()).length - dust.length).toBe(8);
});

test("while nothing gets final blocks come, and after it all of them are final", async () => {
  const before = await slotAt("finalized");
  await chain.holdFinal?.(true);
  await pay(7);
  await chain.mine(40);
  expect(await slotAt("finalized")).toBe(before);
  expect(await expected()).toEqual([]);
  await chain.holdFinal?.(false);
  await chain.settle();
  expect(await expected()).toHaveLength(1);
});
