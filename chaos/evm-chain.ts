import { encodeFunctionData, type Hex } from "viem";
import { z } from "zod";
import type { ChaosChain, ChaosPayment, Noise, Reorg } from "@/chaos/chain";
import { evmLies, quantity } from "@/chaos/evm-lies";
import { createEvmPayers, type EvmPayers } from "@/chaos/evm-payers";
import { readEvmTruth } from "@/chaos/evm-truth";
import type { RpcRequest } from "@/chaos/fault-proxy";
import type { Random } from "@/chaos/random";
import { getToken, type Network } from "@/lib/domain/networks";
import { type EvmNode, startEvmNode } from "@/sandbox/evm-node";
import { PLENTY } from "@/sandbox/payers";
import { FAKE_TOKEN, TEST_TOKEN_ABI } from "@/sandbox/token/install";

/** Where finality goes by the tag: how far it is behind the head. */
const TAG_LAG = 8;
/** Where finality goes by depth, the tag is well below it, as on the real chains. */
const TAG_BELOW_DEPTH = 4;
const GAS = 900_000n;
const GAS_PRICE = 100n * 10n ** 9n;
/** Enough for every network's second reading of final blocks. */
const LAST_BLOCKS = 180;

/** An EVM chain that mines only when told to. */
export async function startEvmChaosChain(network: Network): Promise<ChaosChain> {
  const node = await startEvmNode(network, { blockMs: null });
  const chain = new EvmChaosChain(network, node, await createEvmPayers(node.call, network));
  await chain.mine(5);
  return chain;
}

class EvmChaosChain implements ChaosChain {
  readonly network: Network;
  readonly url: string;
  readonly lies = evmLies(() => this.#height);
  readonly deepest: number;
  readonly #node: EvmNode;
  readonly #payers: EvmPayers;
  /** Transaction → its bytes, to send it again. */
  readonly #raw = new Map<string, string>();
  #height = 0;
  /** Nothing at or below this height is ever replaced. */
  #floor = 0;

  constructor(network: Network, node: EvmNode, payers: EvmPayers) {
    this.network = network;
    this.url = node.url;
    this.deepest = network.finality.by === "depth" ? network.finality.depth - 1 : TAG_LAG;
    this.#node = node;
    this.#payers = payers;
  }

  /** The node's own `finalized` tag is only four blocks behind its head. */
  readonly rewrite = (call: RpcRequest): RpcRequest => {
    if (call.params[0] !== "finalized") return call;
    const below = this.network.finality.by === "depth" ? TAG_BELOW_DEPTH : 0;
    return { ...call, params: [quantity(Math.max(0, this.#floor - below)), ...call.params.slice(1)] };
  };

  newAddress(random: Random): string {
    return `0x${Array.from({ length: 40 }, () => random.int(0, 15).toString(16)).join("")}`;
  }

  async send(payments: readonly ChaosPayment[]): Promise<void> {
    const [first] = payments;
    if (!first) return;
    const { contract } = getToken(this.network, first.currency);
    const args = [payments.map(({ to }) => to as Hex), payments.map(({ baseUnits }) => baseUnits)] as const;
    const isBatch = payments.length > 1;
    const data = isBatch
      ? encodeFunctionData({ abi: TEST_TOKEN_ABI, functionName: "batch", args })
      : transferData(first.to, first.baseUnits);
    await this.#sendData(contract, data);
  }

  async sendNoise(noise: Noise, { currency, to, baseUnits }: ChaosPayment): Promise<void> {
    const { contract } = getToken(this.network, currency);
    switch (noise) {
      case "fakeToken":
        return this.#sendData(
          FAKE_TOKEN,
          encodeFunctionData({ abi: TEST_TOKEN_ABI, functionName: "mint", args: [to as Hex, baseUnits] }),
        );
      case "zero":
        return this.#sendData(contract, transferData(to, 0n));
      case "failed":
        return this.#sendData(contract, transferData(to, PLENTY * 2n));
    }
  }

  async mine(blocks: number): Promise<void> {
    await this.#node.call("anvil_mine", [quantity(blocks)]);
    this.#height += blocks;
    this.#floor = Math.max(this.#floor, this.#height - this.deepest);
  }

  async reorg(how: Reorg, depth: number, random: Random): Promise<number> {
    const blocks = Math.min(depth, this.#height - this.#floor);
    if (blocks < 1) return 0;
    const undone = await this.#transactions(this.#height - blocks + 1);
    const fates = undone.map((one) => ({ ...one, fate: random.weighted({ again: 5, later: 3, never: 2 }) }));
    const again = fates.filter(({ fate }) => fate === "again");
    if (how === "replace") {
      // Never into an earlier block: those keep their time, which may be before the payment.
      const pairs = again.map(({ raw, offset }) => [raw, random.int(offset, blocks - 1)]);
      await this.#node.call("anvil_reorg", [blocks, pairs]);
    } else {
      await this.#node.call("anvil_rollback", [blocks]);
      this.#height -= blocks;
      for (const { raw } of again) await this.#node.call("eth_sendRawTransaction", [raw]);
      await this.mine(1);
    }
    for (const { raw, fate } of fates) if (fate === "later") await this.#node.call("eth_sendRawTransaction", [raw]);
    return blocks;
  }

  async settle(): Promise<void> {
    await this.mine(LAST_BLOCKS);
  }

  async truth(addresses: ReadonlySet<string>) {
    return readEvmTruth(this.#node.call, this.network, this.#floor, addresses);
  }

  async stop(): Promise<void> {
    await this.#node.stop();
  }

  async #sendData(to: string, data: Hex): Promise<void> {
    const payer = await this.#payers.take(this.#height);
    const chainId = Number(this.network.chainId);
    const transaction = {
      type: "legacy",
      nonce: 0,
      gas: GAS,
      gasPrice: GAS_PRICE,
      chainId,
      to: to as Hex,
      data,
    } as const;
    const raw = await payer.signTransaction(transaction);
    this.#raw.set(z.string().parse(await this.#node.call("eth_sendRawTransaction", [raw])), raw);
  }

  /** The bytes of all transactions from a height up to the head, and how far above it they are. */
  async #transactions(from: number): Promise<{ raw: string; offset: number }[]> {
    const found: { raw: string; offset: number }[] = [];
    for (let height = from; height <= this.#height; height++) {
      const block = await this.#node.call("eth_getBlockByNumber", [quantity(height), false]);
      const { transactions } = z.object({ transactions: z.array(z.string()) }).parse(block);
      const raws = transactions.flatMap((txId) => this.#raw.get(txId) ?? []);
      found.push(...raws.map((raw) => ({ raw, offset: height - from })));
    }
    return found;
  }
}

function transferData(to: string, baseUnits: bigint): Hex {
  return encodeFunctionData({ abi: TEST_TOKEN_ABI, functionName: "transfer", args: [to as Hex, baseUnits] });
}
