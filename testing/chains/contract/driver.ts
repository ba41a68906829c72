import type { ChaosChain, Falsification } from "@/chaos/chains/chain";
import type { Fault } from "@/chaos/faults/fault-proxy";
import type { Network } from "@/lib/domain/networks";
import type { FaultyEndpoints } from "@/testing/faults/endpoint-faults";

/** The part of a family that a test runs against: one API of its nodes, read in one way. */
export interface FamilyDriver {
  network: Network;
  /** Starts its local node. */
  startLocal: () => Promise<ChaosChain>;
  /** Starts its scripted nodes. */
  startScripted: () => Promise<ChaosChain>;
  /** Index of the URL whose API is under test, and of the URL that stands beside it; left out: both the first. */
  api?: number;
  beside?: number;
  /** Solana: token accounts up to which histories are read instead of blocks. */
  maxAccounts?: number;
  /** Each test continues behind the one before, where a new start is expensive. */
  goesOn?: boolean;
  /**
   * Blocks until a transfer is final, and how many more until final blocks are read a second time; blocks after which a node
   * that has lost its past must not be believed.
   */
  blocks: { final: number; verify: number; pruned: number };
  /** Untrue or useless responses of this API, by their names. */
  falsifications: (height: () => number) => Readonly<Record<string, Falsification>>;
  /** Names of those under which the cursor may pass a payment; a second reading finds it. */
  hiding: readonly string[];
  /** Untrue responses about one transaction. */
  falseReceipts: FalseReceipts;
  /** A transaction that no chain has. */
  unknownTxId: string;
}

/** The false responses that an endpoint can return for a transaction. */
export type FalseReceipts = Readonly<Record<"another amount" | "another block" | "nothing", Fault>>;

/** A section of the contract. */
export type ContractSection = (endpoints: FaultyEndpoints, driver: FamilyDriver) => void;

/** Opens the API under test, and so many endpoints beside it. @returns their proxies */
export async function openEndpoints(endpoints: FaultyEndpoints, { api = 0, beside = 0 }: FamilyDriver, others: number) {
  const first = await endpoints.endpoint(api);
  const rest = [];
  for (let count = 0; count < others; count++) rest.push(await endpoints.endpoint(beside));
  return [first, ...rest] as const;
}
