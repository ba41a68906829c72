import type { Fault, Rewrite } from "@/chaos/faults/fault-proxy";
import type { Random } from "@/chaos/plan/random";
import type { Currency, Network } from "@/lib/domain/networks";

/** A transfer that a payer sends. */
export interface ChaosPayment {
  currency: Currency;
  to: string;
  baseUnits: bigint;
}

/** A token transfer as recorded on the chain, read without the service's own reader. */
export interface TrueTransfer {
  network: string;
  txId: string;
  position: string;
  /** The currency; null for a look-alike, which must be in the ledger but never be credited. */
  currency: Currency | null;
  to: string;
  /** The sender, if the chain records it. */
  from?: string;
  baseUnits: bigint;
  blockTime: Date;
  /** The version of the transfer's transaction, on chains with several transaction versions. */
  version?: string;
}

/** A transaction that looks like a payment but is not one. */
export type Noise = "fakeToken" | "lookAlike" | "zero" | "failed" | "unreadable";

/** The kind of chain halt: no new blocks, or new blocks that do not become final. */
export type Standstill = "head" | "final";

export type Reorg = "replace" | "rollBack";

/** A false response that an endpoint of this family can return; `random` selects the calls. */
export type Falsification = (random: Random) => Fault;

/** A local chain of the fault-injection test. Each chain family is added as one such object. */
export interface ChaosChain {
  readonly network: Network;
  /** The URL of the node without faults, once for each endpoint that the workers use. */
  readonly urls: readonly string[];
  /** A function that is applied to every JSON-RPC request to the node, with or without a fault. */
  readonly rewrite: Rewrite;
  readonly falsifications: Readonly<Record<string, Falsification>>;
  readonly noises: readonly Noise[];
  /** The current height of the head. */
  readonly height: number;
  /** The depth of the deepest reorg that does not revert final blocks. */
  readonly deepest: number;
  /** Returns an address in the form in which its owner types it. All other methods accept the form that the service stores. */
  newAddress(random: Random): string;
  /** Sends transfers in one transaction, which the next `mine` includes in a block. */
  send(payments: readonly ChaosPayment[]): Promise<void>;
  sendNoise(noise: Noise, payment: ChaosPayment): Promise<void>;
  mine(blocks: number): Promise<void>;
  /** Skips the next slots without a block; only on chains where slots can be empty. */
  skip?(slots: number): Promise<void>;
  /** Sets the block interval, measured by block timestamps; only on chains whose interval can change. */
  setBlockMs?(blockMs: number): void;
  /**
   * Replaces up to `depth` of the newest blocks. Each of their transactions is included again, sent again, or dropped.
   * @returns the number of replaced blocks
   */
  reorg(how: Reorg, depth: number, random: Random): Promise<number>;
  /** Mines until all sent transactions are final, plus enough blocks for every network to read its final blocks a second time. */
  settle(): Promise<void>;
  /** Stops or resumes finality; only on chains whose finality depends on more than a number of blocks. */
  holdFinal?(isHeld: boolean): Promise<void>;
  /** Returns the final transactions of other accounts that no node returns, because their version is not supported yet. */
  unreadable?(): Promise<string[]>;
  /**
   * Returns every final transfer of a known token or look-alike to one of `addresses`, starting at height `from`, except unreadable ones.
   */
  expected(addresses: ReadonlySet<string>, from?: number): Promise<TrueTransfer[]>;
  /** The actions that owners of derived addresses can take; only on chains with derived addresses. */
  readonly owners?: Owners;
  stop(): Promise<void>;
}

/** The actions that owners of derived addresses can take on a chain. Addresses have the form that the service stores. */
export interface Owners {
  /** Calls a contract from an unrelated account. The next `mine` includes the call in a block. */
  call(to: string, data: `0x${string}`): Promise<void>;
  /** Sends a transfer with the key of an address, only once per key, so that a reorg does not delay other transfers. */
  sendAs(key: `0x${string}`, payment: ChaosPayment): Promise<void>;
  /** Returns the balance of an address at the head, in base units. */
  held(address: string, currency: Currency): Promise<bigint>;
}
