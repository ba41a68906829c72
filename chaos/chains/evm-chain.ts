import { encodeFunctionData, type Hex } from "viem";
import { type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import * as z from "zod";
import type { ChaosChain, ChaosPayment, Falsification, Noise, Owners, Reorg } from "@/chaos/chains/chain";
import { createEvmPayers, type EvmPayers } from "@/chaos/chains/evm-payers";
import { drawFates, listUndone } from "@/chaos/chains/evm-reorg";
import { readEvmTransfers } from "@/chaos/chains/evm-truth";
import { quantity } from "@/chaos/faults/evm-falsifications";
import type { Rewrite } from "@/chaos/faults/fault-proxy";
import type { Random } from "@/chaos/plan/random";
import type { Network } from "@/lib/domain/networks";
import type { EvmNode, LocalChain } from "@/sandbox/nodes/evm-node";
import type { CallAll, RpcCall } from "@/sandbox/nodes/json-rpc";
import { FAKE_TOKEN, TEST_TOKEN_ABI } from "@/sandbox/token/install";
import { PLENTY } from "@/sandbox/wallets/payers";

const GAS = 900_000n;
const CALL_GAS = 3_000_000n;
const GAS_PRICE = 100n * 10n ** 9n;
const PURSE = "0x3635c9adc5dea00000";
const MAX_TRIES = 10;

/** The number of blocks that is sufficient for every network's second read of final blocks. */
const LAST_BLOCKS = 300;
const FIRST_BLOCK_MS = 1_000;
const FIRST_BLOCKS = 5;
/**
 * The maximum time by which block timestamps are ahead of the clock. No real chain's clock is hours ahead. If a block is observed before
 * its timestamp, the end of a hold depends on the time of observation, which the verifier cannot determine.
 */
const MAX_AHEAD_MS = 1_200_000;
const FAST_BLOCK_MS = 200;
const Stamped = z.object({ timestamp: z.string() });

/** The node behind an EVM chain, independent of the API that it serves. */
export interface EvmMachine {
  /** The chain that the node simulates, with the tokens at their mainnet addresses. */
  local: LocalChain;
  urls: readonly string[];
  /** Sends one call; like `callAll`, it accepts `eth_*` and `anvil_*` methods. */
  call: EvmNode["call"];
  callAll: CallAll;
  stop(): Promise<void>;
}

interface EvmTraits {
  /** The depth of the deepest simulated reorg. */
  deepest: number;
  /** The number of blocks on top of a final block. */
  depth: number;
  /** The minimum age of a final block by its timestamp, in addition to `depth`. */
  finalMs?: number;
  /** The number of accounts that are funded at a time. */
  purse: number;
  rewrite: Rewrite;
  falsifications: (height: () => number) => Readonly<Record<string, Falsification>>;
  newAddress: (hex: string) => string;
  /** Accounts that are funded to pay for one transaction each. */
  owners?: readonly string[];
}

/** Opens a chain on a node that does not mine by itself. From then on, stopping the chain also stops the node. */
export async function openEvmChaosChain(
  network: Network,
  machine: EvmMachine,
  traits: EvmTraits,
): Promise<EvmChaosChain> {
  const payers = await createEvmPayers(machine.callAll, machine.local, traits.purse);
  await machine.callAll((traits.owners ?? []).map((owner): RpcCall => ["anvil_setBalance", [owner, PURSE]]));
  const chain = new EvmChaosChain(network, machine, traits, payers);
  await chain.begin();
  return chain;
}

export class EvmChaosChain implements ChaosChain {
  readonly network: Network;
  readonly urls: readonly string[];
  readonly rewrite: Rewrite;
  readonly deepest: number;
  readonly falsifications: ChaosChain["falsifications"];
  readonly noises = ["fakeToken", "lookAlike", "zero", "failed"] as const;
  readonly owners: Owners = {
    call: (to, data) => this.#sendData(to, data, CALL_GAS),
    sendAs: (key, { currency, to, baseUnits }) =>
      this.#sendFrom(privateKeyToAccount(key), this.#contractOf(currency), transferData(to, baseUnits), GAS),
    held: async (address, currency) => {
      const data = encodeFunctionData({ abi: TEST_TOKEN_ABI, functionName: "balanceOf", args: [address as Hex] });
      return BigInt(
        z.string().parse(await this.#machine.call("eth_call", [{ to: this.#contractOf(currency), data }, "latest"])),
      );
    },
  };
  readonly #machine: EvmMachine;
  readonly #traits: EvmTraits;
  readonly #payers: EvmPayers;
  /** The raw bytes of each transaction by its id, to send it again. */
  readonly #raw = new Map<string, string>();
  /** The time of every block by its height, in milliseconds. The block's timestamp is this time in whole seconds. */
  readonly #dates: number[] = [];
  #blockMs = FIRST_BLOCK_MS;
  #height = 0;
  /** The height up to which blocks are never replaced. */
  #minHeight = 0;

  constructor(network: Network, machine: EvmMachine, traits: EvmTraits, payers: EvmPayers) {
    this.network = network;
    this.urls = machine.urls;
    this.rewrite = traits.rewrite;
    this.deepest = traits.deepest;
    this.falsifications = traits.falsifications(() => this.#height);
    this.#machine = machine;
    this.#traits = traits;
    this.#payers = payers;
  }

  get height(): number {
    return this.#height;
  }

  get minHeight(): number {
    return this.#minHeight;
  }

  async begin(): Promise<void> {
    this.#height = Number(await this.#machine.call("eth_blockNumber"));
    // The first payers were funded at this height. A reorg below it would revert the funding.
    this.#minHeight = this.#height;
    this.#dates[this.#height] = await this.#newestMs();
    await this.mine(FIRST_BLOCKS);
  }

  async #newestMs(): Promise<number> {
    const { timestamp } = Stamped.parse(await this.#machine.call("eth_getBlockByNumber", ["latest", false]));
    return Number(timestamp) * 1_000;
  }

  newAddress(random: Random): string {
    return this.#traits.newAddress(`0x${Array.from({ length: 40 }, () => random.int(0, 15).toString(16)).join("")}`);
  }

  async send(payments: readonly ChaosPayment[]): Promise<void> {
    const [first] = payments;
    if (!first) return;
    const contract = this.#contractOf(first.currency);
    const args = [payments.map(({ to }) => to as Hex), payments.map(({ baseUnits }) => baseUnits)] as const;
    const isBatch = payments.length > 1;
    const data = isBatch
      ? encodeFunctionData({ abi: TEST_TOKEN_ABI, functionName: "batch", args })
      : transferData(first.to, first.baseUnits);
    await this.#sendData(contract, data);
  }

  async sendNoise(noise: Noise, { currency, to, baseUnits }: ChaosPayment): Promise<void> {
    const contract = this.#contractOf(currency);
    switch (noise) {
      case "fakeToken":
        return this.#sendData(FAKE_TOKEN, mintData(to, baseUnits));
      case "lookAlike":
        return this.#sendData(this.#machine.local.lookAlikes[0]?.contract ?? FAKE_TOKEN, mintData(to, baseUnits));
      case "zero":
        return this.#sendData(contract, transferData(to, 0n));
      case "failed":
        return this.#sendData(contract, transferData(to, PLENTY * 2n));
      case "unreadable":
        throw new Error(`${this.network.name} has no transactions that hide their transfers`);
    }
  }

  setBlockMs(blockMs: number): void {
    this.#blockMs = blockMs;
  }

  /**
   * Mines blocks. Blocks within the same second share a timestamp. No timestamp is in the past, because the payments in the block were
   * sent before it.
   */
  async mine(blocks: number): Promise<void> {
    for (let left = blocks; left > 0; ) {
      const before = this.#dates[this.#height] ?? 0;
      const isAhead = before > Date.now() + MAX_AHEAD_MS;
      const blockMs = isAhead ? FAST_BLOCK_MS : this.#blockMs;
      const isFast = blockMs < 1_000;
      const concurrency = isFast ? Math.min(left, Math.floor(1_000 / blockMs)) : left;
      const passedMs = blockMs * (isFast ? concurrency : 1);
      const date = Math.max(before + passedMs, Date.now());
      const apartMs = isFast ? 0 : blockMs;
      await this.#dateNext(date);
      await this.#machine.call("anvil_mine", [quantity(concurrency), quantity(apartMs / 1_000)]);
      for (let mined = 0; mined < concurrency; mined++) this.#dates[++this.#height] = date + mined * apartMs;
      // The node's clock may reach the next second between two of these blocks. The next block must not be earlier than the last of them.
      if (concurrency > 1) this.#dates[this.#height] = Math.max(this.#dates[this.#height] ?? 0, await this.#newestMs());
      left -= concurrency;
    }
    while (this.#isFinal(this.#minHeight + 1)) this.#minHeight += 1;
  }

  /**
   * Sets the timestamp of the next block. The node's clock is ahead of its newest block, does not go back in a reorg, and rejects earlier
   * timestamps. The clock advances with every request and may pass the timestamp before it is set, so the call is retried.
   */
  async #dateNext(date: number): Promise<void> {
    for (let tries = 1; ; tries++) {
      await this.#machine.call("evm_setTime", [Math.floor((this.#dates[this.#height] ?? 0) / 1_000)]);
      try {
        await this.#machine.call("evm_setNextBlockTimestamp", [Math.floor(date / 1_000)]);
        return;
      } catch (error) {
        if (tries === MAX_TRIES || !String(error).includes("Timestamp error")) throw error;
      }
    }
  }

  #isFinal(height: number): boolean {
    const ageMs = (this.#dates[this.#height] ?? 0) - (this.#dates[height] ?? 0);
    return height <= this.#height - this.#traits.depth && ageMs >= (this.#traits.finalMs ?? 0);
  }

  async reorg(how: Reorg, depth: number, random: Random): Promise<number> {
    const blocks = Math.min(depth, this.#height - this.#minHeight);
    if (blocks < 1) return 0;
    const kept = this.#height - blocks;
    const undone = await listUndone(this.#machine.call, this.#raw, kept + 1, this.#height);
    const { again, later } = drawFates(undone, how === "replace" ? blocks : 1, random);
    await this.#machine.call("anvil_rollback", [blocks]);
    this.#height = kept;
    this.#dates.length = kept + 1;
    for (const raws of again) {
      await this.#sendRaw(raws);
      await this.mine(1);
    }
    await this.#sendRaw(later);
    await this.#payers.restore(kept, this.#height);
    return blocks;
  }

  async settle(): Promise<void> {
    this.setBlockMs(FIRST_BLOCK_MS);
    await this.mine(LAST_BLOCKS);
  }

  async expected(addresses: ReadonlySet<string>, from = 1) {
    return readEvmTransfers(this.#machine.callAll, this.#machine.local, { from, to: this.#minHeight }, addresses);
  }

  async stop(): Promise<void> {
    await this.#machine.stop();
  }

  #contractOf(currency: string): string {
    const token = this.#machine.local.tokens.find((one) => one.currency === currency);
    if (!token) throw new Error(`There is no ${currency} on ${this.network.name}`);
    return token.contract;
  }

  async #sendData(to: string, data: Hex, gas = GAS): Promise<void> {
    await this.#sendFrom(await this.#payers.take(this.#height, this.#minHeight), to, data, gas);
  }

  async #sendFrom(payer: PrivateKeyAccount, to: string, data: Hex, gas: bigint): Promise<void> {
    const chainId = Number(this.network.chainId);
    const transaction = {
      type: "legacy",
      nonce: 0,
      gas,
      gasPrice: GAS_PRICE,
      chainId,
      to: to as Hex,
      data,
    } as const;
    const raw = await payer.signTransaction(transaction);
    this.#raw.set(z.string().parse(await this.#machine.call("eth_sendRawTransaction", [raw])), raw);
  }

  async #sendRaw(raws: readonly string[]): Promise<void> {
    for (const raw of raws) await this.#machine.call("eth_sendRawTransaction", [raw]);
  }
}

function mintData(to: string, baseUnits: bigint): Hex {
  return encodeFunctionData({ abi: TEST_TOKEN_ABI, functionName: "mint", args: [to as Hex, baseUnits] });
}

function transferData(to: string, baseUnits: bigint): Hex {
  return encodeFunctionData({ abi: TEST_TOKEN_ABI, functionName: "transfer", args: [to as Hex, baseUnits] });
}
