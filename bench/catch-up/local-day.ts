import type { Network } from "@/lib/domain/networks";

/** A transfer that was sent to one of the receiving addresses. */
export interface Payment {
  txId: string;
  to: string;
  baseUnits: bigint;
}

/** The activity of a network in a day. */
export interface DayPlan {
  /** The number of blocks, or of slots on Solana. */
  blocks: number;
  payments: number;
  /** The receiving addresses, which are paid in turn. */
  receivers: readonly string[];
}

/** A network's local chain, in its own process. */
export interface LocalChain {
  rpcUrl: string;
  /** Returns an unused address of the network's family. */
  newAddress(): string;
  /**
   * Simulates a day with evenly spread payments, each accompanied by a payment to an unrelated address.
   * @returns the payments
   */
  passDay(plan: DayPlan): Promise<Payment[]>;
  /** Sends one payment, which the next block includes. */
  pay(index: number, to: string): Promise<Payment>;
  /** Produces blocks, all with the timestamp `unixSeconds` if the chain's clock can be set. */
  pass(blocks: number, unixSeconds: number): Promise<void>;
  stop(): Promise<void>;
}

const DAY_MS = 86_400_000;

/** Returns the number of blocks (slots) that a network produces in a day. */
export function blocksOfDay({ blockMs }: Network): number {
  return Math.round(DAY_MS / blockMs);
}

/** Runs `pay` for each payment of a day and produces the blocks between them. The first payment is in the first block. */
export async function spread(
  { blocks, payments }: DayPlan,
  pay: (index: number) => Promise<Payment>,
  pass: (blocks: number) => Promise<unknown>,
): Promise<Payment[]> {
  const sent: Payment[] = [];
  const at = (index: number) => Math.floor((index * blocks) / payments);
  for (let index = 0; index < payments; index++) {
    sent.push(await pay(index));
    await pass(at(index + 1) - at(index));
  }
  return sent;
}
