import type { Fault, Rewrite } from "@/chaos/faults/fault-proxy";
import type { Random } from "@/chaos/plan/random";
import type { Currency, Network } from "@/lib/domain/networks";

/** A transfer that a payer sends. */
export interface ChaosPayment {
  currency: Currency;
  to: string;
  baseUnits: bigint;
}

/** A token transfer as the chain itself has it, read without the service's own reader. */
export interface TrueTransfer {
  network: string;
  txId: string;
  position: string;
  /** Null: of a look-alike, which must be in the ledger and pay nothing. */
  currency: Currency | null;
  to: string;
  /** The sender, if the chain records it. */
  from?: string;
  baseUnits: bigint;
  blockTime: Date;
  /** The version of its transaction, on chains with several. */
  version?: string;
}

/** A transaction that looks like a payment and is none. */
export type Noise = "fakeToken" | "lookAlike" | "zero" | "failed" | "unreadable";

/** The kind of standstill: no new blocks, or new blocks that do not become final. */
export type Standstill = "head" | "final";

export type Reorg = "replace" | "rollBack";

/** A false response that an endpoint of this family can give; `random` selects the calls. */
export type Falsification = (random: Random) => Fault;

/** A local chain of the fault-injection test. A new family is added by one such object. */
export interface ChaosChain {
  readonly network: Network;
  /** The node without faults, once for each endpoint that the workers use. */
  readonly urls: readonly string[];
  /** Applied to every JSON-RPC request to the node, with or without a fault. */
  readonly rewrite: Rewrite;
  readonly falsifications: Readonly<Record<string, Falsification>>;
  readonly noises: readonly Noise[];
  /** Height of the head now. */
  readonly height: number;
  /** Deepest reorg that takes back nothing final. */
  readonly deepest: number;
  /** An address as its owner types it; every other method takes the form that the service stores. */
  newAddress(random: Random): string;
  /** Sends transfers in one transaction, in a block with the next `mine`. */
  send(payments: readonly ChaosPayment[]): Promise<void>;
  sendNoise(noise: Noise, payment: ChaosPayment): Promise<void>;
  mine(blocks: number): Promise<void>;
  /** Lets the next slots pass without a block; only where a slot can have none. */
  skip?(slots: number): Promise<void>;
  /** Sets the block interval, by the blocks' own times; only if `paces` lists some. */
  setBlockMs?(blockMs: number): void;
  /**
   * Replaces up to `depth` of the newest blocks; each of their transactions is included again, sent again, or gone for good.
   * @returns blocks that were replaced
   */
  reorg(how: Reorg, depth: number, random: Random): Promise<number>;
  /** Mines until all that was ever sent is final, and long enough for every second look at it. */
  settle(): Promise<void>;
  /** Lets nothing get final any more, or all go on; only where finality is more than a number of blocks. */
  holdFinal?(isHeld: boolean): Promise<void>;
  /** Final transactions of other accounts that no node returns, because their version is not supported yet. */
  unreadable?(): Promise<string[]>;
  /** Every final transfer of a known token or look-alike to one of `addresses`, from a height on, unreadable ones excepted. */
  expected(addresses: ReadonlySet<string>, from?: number): Promise<TrueTransfer[]>;
  /** The actions of owners of derived addresses; only on chains that have some. */
  readonly owners?: Owners;
  stop(): Promise<void>;
}

/** The actions of owners on a chain. Addresses have the form that the service stores. */
export interface Owners {
  /** Calls a contract from an unrelated account, in a block with the next `mine`. */
  call(to: string, data: `0x${string}`): Promise<void>;
  /** Sends a transfer by the key of an address itself: once for each, so that a reorg holds up no other. */
  sendAs(key: `0x${string}`, payment: ChaosPayment): Promise<void>;
  /** Returns the balance of an address at the head, in base units. */
  held(address: string, currency: Currency): Promise<bigint>;
}
