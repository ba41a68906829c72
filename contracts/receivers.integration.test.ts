import path from "node:path";
import fc from "fast-check";
import {
  createTestClient,
  encodeAbiParameters,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  http,
  numberToHex,
  parseAbi,
  publicActions,
  walletActions,
} from "viem";
import { afterAll, beforeAll, expect, test } from "vitest";
import { compile } from "@/contracts/compile";
import {
  DEPLOYMENT_PROXY,
  FACTORY_DEPLOYMENT,
  RECEIVER_FACTORY,
  receiverAddress,
  receiverCode,
  receiverSalt,
  sweepCalldata,
} from "@/lib/domain/addresses/receiver";
import { getNetwork, getToken } from "@/lib/domain/networks";
import { type EvmNode, startEvmNode } from "@/sandbox/nodes/evm-node";
import { TEST_TOKEN_ABI } from "@/sandbox/token/install";

const NETWORK = getNetwork("ethereum");
const USDT = getToken(NETWORK, "USDT").contract as Hex;
const USDC = getToken(NETWORK, "USDC").contract as Hex;
const COIN: Hex = `0x${"00".repeat(20)}`;
const TREASURIES = [`0x${"7e".repeat(20)}`, `0x${"7f".repeat(20)}`] as const;
const [TREASURY, OTHER] = TREASURIES;
const HOSTILE_ABI = parseAbi([
  "constructor(uint8 how)",
  "function mint(address to, uint256 value)",
  "function aim(address who, bytes data)",
  "function balances(address owner) view returns (uint256)",
]);
const SWEEP_ABI = parseAbi(["function sweep(address[] tokens)", "function implementation() view returns (address)"]);
const MODES = [
  ...["Plain", "ReturnsNothing", "ReturnsFalse", "TakesFee", "Reverts", "BurnsGas", "LongAnswer"],
  ...["LiesOfPlenty", "CallsBack", "ShortAnswer"],
] as const;

let node: EvmNode;
let accounts: readonly Hex[];
const chain = () =>
  createTestClient({ mode: "anvil", transport: http(node.url) })
    .extend(publicActions)
    .extend(walletActions);
let client: ReturnType<typeof chain>;

beforeAll(async () => {
  node = await startEvmNode(NETWORK, { blockMs: null });
  client = chain();
  accounts = await client.getAddresses();
  await send(DEPLOYMENT_PROXY, FACTORY_DEPLOYMENT);
});
afterAll(() => node.stop());

interface Sent {
  from?: Hex;
  value?: bigint;
  gas?: bigint;
}

/**
 * Sends a transaction, which may fail.
 * @returns its receipt
 */
async function send(to: string | null, data: Hex, { from = accounts[0], value = 0n, gas = 15_000_000n }: Sent = {}) {
  const call = { to: to as Hex | null, data, value, gas, chain: null, account: from ?? COIN };
  const hash = await client.sendTransaction(call);
  await client.mine({ blocks: 1 });
  return client.getTransactionReceipt({ hash });
}

const mint = (token: Hex, to: string, units: bigint) =>
  send(token, encodeFunctionData({ abi: TEST_TOKEN_ABI, functionName: "mint", args: [to as Hex, units] }));
const balanceOf = (token: Hex, owner: string) =>
  client.readContract({ abi: erc20Abi, address: token, functionName: "balanceOf", args: [owner as Hex] });
const coins = (owner: string) => client.getBalance({ address: owner as Hex });
const codeAt = async (address: string) => (await client.getCode({ address: address as Hex })) ?? "0x";
const sweepData = (tokens: readonly Hex[]) =>
  encodeFunctionData({ abi: SWEEP_ABI, functionName: "sweep", args: [tokens] });

async function deployHostile(mode: (typeof MODES)[number]): Promise<Hex> {
  const { HostileToken } = compile(path.join(import.meta.dirname, "HostileToken.sol"));
  const how = encodeAbiParameters([{ type: "uint8" }], [MODES.indexOf(mode)]);
  const { contractAddress } = await send(null, `${HostileToken?.creationCode}${how.slice(2)}` as Hex);
  if (!contractAddress) throw new Error("No contract was made");
  return contractAddress;
}

test("the factory is at its computed address, and a receiver at that of treasury and index, before and after deployment", async () => {
  expect(await codeAt(RECEIVER_FACTORY)).not.toBe("0x");
  const at = receiverAddress(TREASURY, 900);
  const asked = {
    abi: parseAbi(["function addressOf(address,bytes32) view returns (address)"]),
    functionName: "addressOf",
  } as const;
  const args = [TREASURY, receiverSalt(900)] as const;
  const returned = await client.readContract({ ...asked, address: RECEIVER_FACTORY as Hex, args });
  expect(returned.toLowerCase()).toBe(at);
  expect(receiverAddress(OTHER, 900)).not.toBe(at);
  expect(receiverAddress(TREASURY, 901)).not.toBe(at);
  await mint(USDT, at, 5n);
  await client.setBalance({ address: at as Hex, value: 7n });
  const before = await balanceOf(USDT, TREASURY);
  const coinsBefore = await coins(TREASURY);
  await send(RECEIVER_FACTORY, sweepCalldata(TREASURY, [900], [USDT, COIN]), { from: accounts[3] ?? COIN });
  expect(await codeAt(at)).toBe(receiverCode(TREASURY));
  expect([await balanceOf(USDT, at), await coins(at)]).toEqual([0n, 0n]);
  expect([await balanceOf(USDT, TREASURY), await coins(TREASURY)]).toEqual([before + 5n, coinsBefore + 7n]);
  await mint(USDT, at, 6n);
  await send(at, sweepData([USDT]), { from: accounts[4] ?? COIN });
  expect(await balanceOf(USDT, TREASURY)).toBe(before + 11n);
});

test("the shared code of receivers cannot be swept, and receivers without an owner cannot be created", async () => {
  const implementation = await client.readContract({
    abi: SWEEP_ABI,
    functionName: "implementation",
    address: RECEIVER_FACTORY as Hex,
  });
  expect((await send(implementation, sweepData([USDT]))).status).toBe("reverted");
  expect((await send(RECEIVER_FACTORY, sweepCalldata(COIN, [1], [USDT]))).status).toBe("reverted");
});

test.each(MODES)("a token that is %s does not block sweeping the others", async (mode) => {
  const token = await deployHostile(mode);
  const index = 1_000 + MODES.indexOf(mode) * 2;
  const positions = [receiverAddress(TREASURY, index), receiverAddress(TREASURY, index + 1)] as const;
  for (const cursor of positions) {
    await mint(USDC, cursor, 10n);
    await send(token, encodeFunctionData({ abi: HOSTILE_ABI, functionName: "mint", args: [cursor as Hex, 1_000n] }));
  }
  const again = sweepCalldata(TREASURY, [index, index + 1], [token, USDC]);
  const aim = { abi: HOSTILE_ABI, functionName: "aim", args: [RECEIVER_FACTORY as Hex, again] } as const;
  await send(token, encodeFunctionData(aim));
  const before = await balanceOf(USDC, TREASURY);
  const { status } = await send(RECEIVER_FACTORY, again, { gas: 5_000_000n });
  expect(status).toBe("success");
  expect(await balanceOf(USDC, TREASURY)).toBe(before + 20n);
  const held = (owner: string) =>
    client.readContract({ abi: HOSTILE_ABI, address: token, functionName: "balances", args: [owner as Hex] });
  const swept = { Plain: 2_000n, ReturnsNothing: 2_000n, TakesFee: 1_980n }[mode as string] ?? 0n;
  expect(await held(TREASURY)).toBe(swept);
  expect(await held(positions[0])).toBe(swept === 0n ? 1_000n : 0n);
});

const COUNT = 4;
const LOCATIONS = TREASURIES.flatMap((treasury) =>
  Array.from({ length: COUNT }, (_, index) => ({ treasury, index, address: receiverAddress(treasury, index) })),
);
const who = fc.integer({ min: 0, max: 5 });
const cursor = fc.integer({ min: 0, max: LOCATIONS.length - 1 });
const tokens = fc.subarray([USDT, USDC, COIN, ...TREASURIES, RECEIVER_FACTORY as Hex, LOCATIONS[0]?.address as Hex]);
const bytes = fc.uint8Array({ maxLength: 100 }).map((some): Hex => `0x${Buffer.from(some).toString("hex")}`);
const amount = fc.bigInt({ min: 1n, max: 10n ** 12n });
const step = fc.oneof(
  fc.record({ kind: fc.constant("pay" as const), cursor, amount, token: fc.constantFrom(USDT, USDC) }),
  fc.record({ kind: fc.constant("payCoin" as const), cursor, amount, who }),
  fc.record({ kind: fc.constant("sweep" as const), cursor, tokens, who }),
  fc.record({
    kind: fc.constant("sweepAll" as const),
    salts: fc.array(fc.nat(COUNT), { maxLength: 6 }),
    tokens,
    who,
    treasury: fc.constantFrom(...TREASURIES, COIN),
  }),
  fc.record({ kind: fc.constant("poke" as const), cursor, data: bytes, who }),
  fc.record({ kind: fc.constant("steal" as const), cursor, amount, who, token: fc.constantFrom(USDT, USDC) }),
  fc.record({ kind: fc.constant("create" as const), cursor, data: bytes, who }),
);

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** The amounts of each token that were sent to receivers of each treasury, or were in the treasury before. */
class Paid {
  readonly #units = new Map<string, bigint>();

  add(token: Hex, treasury: Hex, units: bigint): void {
    this.#units.set(token + treasury, (this.#units.get(token + treasury) ?? 0n) + units);
  }

  /** Expects each treasury and its receivers to hold all of their funds, and no receiver's address to have other code. */
  async expectKept(): Promise<void> {
    for (const token of [USDT, USDC, COIN])
      for (const treasury of TREASURIES) {
        const own = [treasury, ...LOCATIONS.filter((one) => one.treasury === treasury).map(({ address }) => address)];
        const held = await Promise.all(own.map((owner) => (token === COIN ? coins(owner) : balanceOf(token, owner))));
        expect(held.reduce((sum, units) => sum + units, 0n)).toBe(this.#units.get(token + treasury) ?? 0n);
      }
    for (const { address, treasury } of LOCATIONS)
      expect(["0x", receiverCode(treasury)]).toContain(await codeAt(address));
  }
}

/**
 * Executes a step.
 * @returns true if the step swept receivers through the factory
 */
async function take(one: Step, paid: Paid): Promise<boolean> {
  const from = "who" in one ? (accounts[one.who] ?? COIN) : COIN;
  if (one.kind === "sweepAll") {
    const { status } = await send(RECEIVER_FACTORY, sweepCalldata(one.treasury, one.salts, one.tokens), { from });
    return status === "success" && one.salts.length > 0;
  }
  const { address, treasury, index } = LOCATIONS[one.cursor] as (typeof LOCATIONS)[number];
  switch (one.kind) {
    case "pay":
      await mint(one.token, address, one.amount);
      paid.add(one.token, treasury, one.amount);
      break;
    case "payCoin":
      if ((await send(address, "0x", { from, value: one.amount })).status === "success")
        paid.add(COIN, treasury, one.amount);
      break;
    case "sweep":
      await send(address, sweepData(one.tokens), { from });
      break;
    case "poke":
      await send(address, one.data, { from });
      break;
    case "steal": {
      const args = [address, from, one.amount] as const;
      await send(one.token, encodeFunctionData({ abi: erc20Abi, functionName: "transferFrom", args }), { from });
      const transfer = { abi: erc20Abi, functionName: "transfer", args: [from, one.amount] } as const;
      await send(address, encodeFunctionData(transfer), { from });
      break;
    }
    case "create":
      // Other code under the same salt, from a different creator, is deployed to a different address.
      await send(DEPLOYMENT_PROXY, `${receiverSalt(index)}${one.data.slice(2)}`, { from });
  }
  return false;
}

test("after any calls in any order, the funds of a receiver are there or in its treasury, and its code is unchanged", async () => {
  let steps = 0;
  let swept = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 12, maxLength: 30 }), async (all) => {
      const snapshot = await client.snapshot();
      try {
        const paid = new Paid();
        for (const treasury of TREASURIES) {
          for (const token of [USDT, USDC]) paid.add(token, treasury, await balanceOf(token, treasury));
          paid.add(COIN, treasury, await coins(treasury));
        }
        for (const one of all) swept += (await take(one, paid)) ? 1 : 0;
        steps += all.length;
        await paid.expectKept();
      } finally {
        await client.revert({ id: snapshot });
      }
    }),
    { numRuns: 25 },
  );
  expect(steps).toBeGreaterThanOrEqual(25 * 12);
  expect(swept).toBeGreaterThan(10);
});

test("in batches of 50 the first sweep of a receiver costs at most 60,000 gas, a later one at most 15,000", async () => {
  const indexes = Array.from({ length: 50 }, (_, index) => 5_000 + index);
  const perReceiver = async () => {
    for (const index of indexes) await mint(USDT, receiverAddress(TREASURY, index), 1_000_000n);
    const { gasUsed, status } = await send(RECEIVER_FACTORY, sweepCalldata(TREASURY, indexes, [USDT]));
    expect(status).toBe("success");
    return Math.round(Number(gasUsed) / indexes.length);
  };
  const first = await perReceiver();
  const later = await perReceiver();
  console.log(`gas for each of 50 receivers: first sweep ${first}, later ${later} (${numberToHex(later)})`);
  for (const index of indexes) expect(await balanceOf(USDT, receiverAddress(TREASURY, index))).toBe(0n);
  expect(first).toBeLessThanOrEqual(60_000);
  expect(later).toBeLessThanOrEqual(15_000);
});
