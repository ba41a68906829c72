import type { ChaosChain, Falsification } from "@/chaos/chains/chain";
import type { Fault } from "@/chaos/faults/fault-proxy";
import type { Network } from "@/lib/domain/networks";
import type { FaultyEndpoints } from "@/testing/faults/endpoint-faults";

/** The part of a chain family that a test covers: one API of its nodes, and one method of reading this API. */
export interface FamilyDriver {
  network: Network;
  /** Starts the local node of the family. */
  startLocal: () => Promise<ChaosChain>;
  /** Starts the scripted nodes of the family. */
  startScripted: () => Promise<ChaosChain>;
  /** The index of the URL whose API is under test, and of the URL used beside it; both default to the first. */
  api?: number;
  beside?: number;
  /** Solana: the number of token accounts up to which histories are read instead of blocks. */
  maxAccounts?: number;
  /** True if each test continues on the chain of the previous one, because a new start is expensive. */
  goesOn?: boolean;
  /**
   * `final`: blocks until a transfer is final. `verify`: further blocks until final blocks are read a second time. `pruned`: blocks after
   * which a node that has lost its history must not be trusted.
   */
  blocks: { final: number; verify: number; pruned: number };
  /** False or useless responses of this API, by name. */
  falsifications: (height: () => number) => Readonly<Record<string, Falsification>>;
  /** The names of the falsifications under which the cursor may pass a payment; a second read finds it. */
  hiding: readonly string[];
  /** False responses about one transaction. */
  falseReceipts: FalseReceipts;
  /** A transaction that does not exist on any chain. */
  unknownTxId: string;
}

/** The false responses that an endpoint can return for a transaction. */
export type FalseReceipts = Readonly<Record<"another amount" | "another block" | "nothing", Fault>>;

/** A section of the contract. */
export type ContractSection = (endpoints: FaultyEndpoints, driver: FamilyDriver) => void;

/** Opens the API under test, and the given number of endpoints beside it. @returns their proxies */
export async function openEndpoints(endpoints: FaultyEndpoints, { api = 0, beside = 0 }: FamilyDriver, others: number) {
  const first = await endpoints.endpoint(api);
  const rest = [];
  for (let count = 0; count < others; count++) rest.push(await endpoints.endpoint(beside));
  return [first, ...rest] as const;
}
