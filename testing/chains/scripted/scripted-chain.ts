import type { ChaosChain, ChaosPayment, Noise, Reorg, TrueTransfer } from "@/chaos/chains/chain";
import type { Rewrite } from "@/chaos/faults/fault-proxy";
import type { Random } from "@/chaos/plan/random";
import { canonicalAddress } from "@/lib/domain/addresses/address";
import { getToken, type Network } from "@/lib/domain/networks";
import type { Block } from "@/lib/domain/networks/finality";

/** A token transfer inside a transaction; addresses and token in canonical form. */
export interface ScriptedTransfer {
  token: string;
  from: string;
  to: string;
  baseUnits: bigint;
}

export interface ScriptedTransaction {
  id: string;
  /** True if the transaction succeeded. The transfers of a failed transaction moved no tokens. */
  isSuccess: boolean;
  transfers: readonly ScriptedTransfer[];
}

/** A block with its transactions and the height of the previous block, because a slot can have no block. */
export interface ScriptedBlock extends Block {
  parentHeight: number;
  transactions: readonly ScriptedTransaction[];
}

/** The differences between families: how a chain is encoded, and when its blocks are final. */
export interface ScriptedFamily {
  /** Returns the hash of a block. @param seed differs between two blocks of the same height */
  hashOf(height: number, seed: number): string;
  /** Returns the id of the `number`-th transaction. */
  txIdOf(number: number): string;
  /** Returns an address as its owner types it. */
  newAddress(random: Random): string;
  /** A token that is not in the networks table. */
  strangeToken: string;
  /** Returns the position of each transfer in a transaction. */
  positionsOf(transaction: ScriptedTransaction): readonly string[];
  /** The minimum age of a final block, by block times, in addition to `finalLag`. */
  finalLag: number;
  /** In addition, the minimum age of a final block, by block times. */
  finalMs?: number;
  /** The number of calls of `mine` after which a slot is skipped; omitted if none is skipped. */
  skipEvery?: number;
  deepest: number;
  noises: readonly Noise[];
  falsifications: (height: () => number) => ChaosChain["falsifications"];
  rewrite?: Rewrite;
}

const FIRST_BLOCKS = 20;
const LAST_BLOCKS = 400;
/**
 * The maximum time by which block times may be ahead of the clock. Beyond that, blocks follow at a shorter interval, because no real
 * chain's clock is hours ahead.
 */
const MAX_AHEAD_MS = 1_200_000;
const FAST_BLOCK_MS = 200;
/** The balance of each token account before a transaction, in base units. It is large enough for every transfer. */
export const PAYER_UNITS = 10n ** 15n;

/** The number of chains that this process has created, and a number that exceeds the number of blocks of any chain. */
let chains = 0;
const APART = 1_000_000;

/** A chain in memory. Nodes of any family serve it; the caller mines and replaces its blocks. */
export class ScriptedChain {
  readonly network: Network;
  readonly family: ScriptedFamily;
  readonly payer: string;
  #blocks: ScriptedBlock[] = [];
  readonly #byHeight = new Map<number, ScriptedBlock>();
  #pending: ScriptedTransaction[] = [];
  #sent = 0;
  #seed = 0;
  #mined = 0;
  #minHeight = 0;
  #height = -1;
  #blockMs: number;

  constructor(network: Network, family: ScriptedFamily, payer: string) {
    // No two chains of a process have a block or a transaction in common.
    this.#seed = chains * APART;
    this.#sent = chains * APART;
    chains += 1;
    this.network = network;
    this.family = family;
    this.payer = payer;
    this.#blockMs = network.blockMs;
    const firstMs = Math.floor(Date.now() / 1_000) * 1_000 - FIRST_BLOCKS * Math.max(1_000, network.blockMs);
    for (let height = 0; height < FIRST_BLOCKS; height++)
      this.#append(height, firstMs + height * network.blockMs, this.#votes());
  }

  /** Returns the newest height or slot, even if it has no block. */
  get height(): number {
    return this.#height;
  }

  /** Returns the newest final height. */
  get minHeight(): number {
    return this.#minHeight;
  }

  get blocks(): readonly ScriptedBlock[] {
    return this.#blocks;
  }

  get newest(): ScriptedBlock {
    return this.#blocks.at(-1) as ScriptedBlock;
  }

  block(height: number): ScriptedBlock | null {
    return this.#byHeight.get(height) ?? null;
  }

  blockByHash(hash: string): ScriptedBlock | null {
    return this.#blocks.findLast((block) => block.hash === hash) ?? null;
  }

  find(txId: string): { transaction: ScriptedTransaction; block: ScriptedBlock } | null {
    for (const block of this.#blocks.toReversed()) {
      const transaction = block.transactions.find(({ id }) => id === txId);
      if (transaction) return { transaction, block };
    }
    return null;
  }

  /** Sends a transaction; it is included in the next block. */
  send(transfers: readonly Omit<ScriptedTransfer, "from">[], isSuccess = true): string {
    const id = this.family.txIdOf(++this.#sent);
    const paid = transfers.map((transfer) => ({ ...transfer, from: this.payer }));
    this.#pending.push({ id, isSuccess, transfers: paid });
    return id;
  }

  mine(count: number): void {
    this.#mined += 1;
    const { skipEvery } = this.family;
    if (skipEvery !== undefined && this.#mined % skipEvery === 0) this.#height += 1;
    for (let left = count; left > 0; left--) this.#mineOne();
  }

  #mineOne(): void {
    const before = this.newest.time.getTime();
    const blockMs = before > Date.now() + MAX_AHEAD_MS ? FAST_BLOCK_MS : this.#blockMs;
    const ms = Math.max(before + blockMs, Date.now());
    this.#append(this.#height + 1, ms, [...this.#pending.splice(0), ...this.#votes()]);
    this.#raiseMinHeight();
  }

  /**
   * Replaces the newest blocks.
   * @param fateOf returns the fate of a transaction in these blocks
   */
  reorganise(depth: number, isShorter: boolean, fateOf: () => "again" | "later" | "never"): number {
    const kept = Math.max(this.#minHeight, this.#height - depth);
    const removed = this.#blocks.filter(({ height }) => height > kept);
    if (removed.length === 0) return 0;
    for (const { height } of removed) this.#byHeight.delete(height);
    this.#blocks = this.#blocks.filter(({ height }) => height <= kept);
    const undone = removed.flatMap(({ transactions }) => transactions.filter((one) => one.transfers.length > 0));
    const depthOf = this.#height - kept;
    this.#height = kept;
    const later: ScriptedTransaction[] = [];
    for (const transaction of undone) {
      const fate = fateOf();
      if (fate === "again") this.#pending.push(transaction);
      if (fate === "later") later.push(transaction);
    }
    for (let left = isShorter ? 1 : depthOf; left > 0; left--) this.#mineOne();
    this.#pending.push(...later);
    return depthOf;
  }

  setBlockMs(blockMs: number): void {
    this.#blockMs = blockMs;
  }

  expected(addresses: ReadonlySet<string>, from: number): TrueTransfer[] {
    const { network } = this;
    const currencyOf = (token: string) => {
      const isIt = ({ contract }: { contract: string }) => canonicalAddress(network.family, contract) === token;
      const known = network.tokens.find(isIt);
      return known ? known.currency : network.lookAlikes.some(isIt) ? null : undefined;
    };
    return this.#blocks
      .filter(({ height }) => height >= from && height <= this.#minHeight)
      .flatMap(({ transactions, time }) =>
        transactions
          .filter(({ isSuccess }) => isSuccess)
          .flatMap((transaction) => {
            const positions = this.family.positionsOf(transaction);
            return transaction.transfers.flatMap(({ token, to, baseUnits, from: sender }, index) => {
              const currency = currencyOf(token);
              if (currency === undefined || !addresses.has(to) || baseUnits === 0n) return [];
              const identity = { network: network.id, txId: transaction.id, position: positions[index] ?? "" };
              return [{ ...identity, currency, to, from: sender, baseUnits, blockTime: time }];
            });
          }),
      )
      .reduce<TrueTransfer[]>(addTransfer, []);
  }

  /** Skips slots after the newest block. */
  skip(slots: number): void {
    this.#height += slots;
  }

  #append(height: number, ms: number, transactions: readonly ScriptedTransaction[]): void {
    const parent = this.#blocks.at(-1);
    const block: ScriptedBlock = {
      height,
      hash: this.family.hashOf(height, height === 0 ? 0 : ++this.#seed),
      parentHash: parent?.hash ?? this.family.hashOf(0, 0),
      parentHeight: parent?.height ?? 0,
      time: new Date(Math.floor(ms / 1_000) * 1_000),
      transactions,
    };
    this.#blocks.push(block);
    this.#byHeight.set(height, block);
    this.#height = height;
  }

  /** Returns a transaction that moves no token; on a real chain, every block contains one. */
  #votes(): ScriptedTransaction[] {
    return [{ id: this.family.txIdOf(++this.#sent), isSuccess: true, transfers: [] }];
  }

  #raiseMinHeight(): void {
    const { finalLag, finalMs = 0 } = this.family;
    const limit = this.newest.time.getTime() - finalMs;
    for (const { height, time } of this.#blocks)
      if (height > this.#minHeight && height <= this.#height - finalLag && time.getTime() <= limit)
        this.#minHeight = height;
  }
}

/** Adds a transfer. If positions are accounts, several transfers of a transaction to one account are combined. */
function addTransfer(all: TrueTransfer[], one: TrueTransfer): TrueTransfer[] {
  const same = all.find(({ txId, position }) => txId === one.txId && position === one.position);
  if (same) same.baseUnits += one.baseUnits;
  else all.push(one);
  return all;
}

/** Returns a scripted chain behind nodes, with the interface of the local chains. */
export function asTestChain(chain: ScriptedChain, urls: readonly string[], stop: () => Promise<void>): ChaosChain {
  const { network, family } = chain;
  const contractOf = (payment: ChaosPayment) =>
    canonicalAddress(network.family, getToken(network, payment.currency).contract);
  return {
    network,
    urls,
    rewrite: family.rewrite ?? ((call) => call),
    falsifications: family.falsifications(() => chain.height),
    noises: family.noises,
    get height() {
      return chain.height;
    },
    deepest: family.deepest,
    newAddress: (random) => family.newAddress(random),
    async send(payments) {
      chain.send(payments.map((payment) => ({ ...payment, token: contractOf(payment) })));
    },
    async sendNoise(noise, payment) {
      const { to, baseUnits } = payment;
      const lookAlike = network.lookAlikes[0]?.contract;
      const strange = noise === "lookAlike" && lookAlike ? canonicalAddress(network.family, lookAlike) : null;
      const isKnown = noise === "zero" || noise === "failed";
      const token = isKnown ? contractOf(payment) : (strange ?? family.strangeToken);
      chain.send([{ token, to, baseUnits: noise === "zero" ? 0n : baseUnits }], noise !== "failed");
    },
    async mine(blocks) {
      chain.mine(blocks);
    },
    ...(family.skipEvery !== undefined && { skip: async (slots: number) => chain.skip(slots) }),
    setBlockMs: (blockMs) => chain.setBlockMs(blockMs),
    reorg: async (how: Reorg, depth, random) =>
      chain.reorganise(depth, how === "rollBack", () => random.weighted({ again: 4, later: 3, never: 3 })),
    async settle() {
      chain.mine(LAST_BLOCKS);
    },
    expected: async (addresses, from = 0) => chain.expected(addresses, from),
    stop,
  };
}
