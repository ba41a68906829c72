import type { Fault, Rewrite } from "@/chaos/faults/fault-proxy";
import type { Random } from "@/chaos/plan/random";
import type { Currency, Network } from "@/lib/domain/networks";

/** One transfer that a payer sends. */
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
  /** Who sent it, where the chain's truth says so. */
  from?: string;
  baseUnits: bigint;
  blockTime: Date;
  /** Of its transaction, where there are several. */
  version?: string;
}

/** What looks like a payment and is none. */
export type Noise = "fakeToken" | "lookAlike" | "zero" | "failed" | "unreadable";

/** What of a chain stands still: no blocks come at all, or blocks come and none of them gets final. */
export type Standstill = "head" | "final";

export type Reorg = "replace" | "rollBack";

/** A lie that an endpoint of this family can tell; `random` decides which calls it is told in. */
export type Lie = (random: Random) => Fault;

/** A local chain that the truth test pays on and disturbs. A new family joins by one object of this form. */
export interface ChaosChain {
  readonly network: Network;
  /** The node itself, without any fault, once for each endpoint that the workers shall know. */
  readonly urls: readonly string[];
  /** Applied to every JSON-RPC request on its way to the node, whatever the fault. */
  readonly rewrite: Rewrite;
  readonly lies: Readonly<Record<string, Lie>>;
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
  /** How long blocks take from now on, by their own times; only where `paces` names some. */
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
  /** Final transactions of strangers that no node shows to anybody, for they are of a version to come. */
  unreadable?(): Promise<string[]>;
  /** Every final transfer of a known token or look-alike to one of `addresses`, from a height on, unreadable ones excepted. */
  truth(addresses: ReadonlySet<string>, from?: number): Promise<TrueTransfer[]>;
  /** What owners do with addresses of their own; only where there are such. */
  readonly owners?: Owners;
  stop(): Promise<void>;
}

/** What owners do on a chain. Addresses are in the form that the service stores. */
export interface Owners {
  /** Calls a contract from an account of nobody's, in a block with the next `mine`. */
  call(to: string, data: `0x${string}`): Promise<void>;
  /** Sends a transfer by the key of an address itself: once for each, so that a reorg holds up no other. */
  sendAs(key: `0x${string}`, payment: ChaosPayment): Promise<void>;
  /** What an address holds at the head, in base units. */
  held(address: string, currency: Currency): Promise<bigint>;
}
