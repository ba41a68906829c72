import type { Network } from "@/lib/domain/networks";

/** A transfer to one of our addresses, as it was sent. */
export interface Payment {
  txId: string;
  to: string;
  baseUnits: bigint;
}

/** The activity of a network in a day. */
export interface DayPlan {
  /** Blocks, or slots. */
  blocks: number;
  payments: number;
  /** Our addresses; the payments go to them in turn. */
  receivers: readonly string[];
}

/** A network's chain on this machine, in a process of its own. */
export interface LocalChain {
  rpcUrl: string;
  /** Returns an unused address of the network's family. */
  newAddress(): string;
  /** Lets a day pass: payments spread evenly over it, each beside one to a stranger. @returns the payments */
  passDay(plan: DayPlan): Promise<Payment[]>;
  /** Sends one payment, which the next block holds. */
  pay(index: number, to: string): Promise<Payment>;
  /** Lets blocks pass, stamped with one time in Unix seconds where the chain's clock can be set. */
  pass(blocks: number, unixSeconds: number): Promise<void>;
  stop(): Promise<void>;
}

const DAY_MS = 86_400_000;

/** Blocks (slots) that a network makes in a day. */
export function blocksOfDay({ blockMs }: Network): number {
  return Math.round(DAY_MS / blockMs);
}

/** Runs `pay` for each payment of a day and lets the blocks between them pass; the first payment is in the first block. */
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
