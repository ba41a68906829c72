import { once } from "node:events";
import path from "node:path";
import { type CreatedOrder, persist } from "@/chaos/create-orders";
import type { CreatedRefund } from "@/chaos/operations/refund-orders";
import { buildProgram } from "@/chaos/program";
import { APP_SECRET, type World } from "@/chaos/world";
import { writeDump } from "@/db/dump/write-dump";

/** A dump, with the indexes of the orders that had been placed and cancelled, and the ids of the refunds, when it was taken. */
export interface DumpState {
  file: string;
  created: ReadonlySet<number>;
  cancelled: ReadonlySet<number>;
  refunds: ReadonlySet<string>;
}

/** Takes a dump while all processes keep running. */
export async function takeDump(
  { database }: World,
  { created, refunds }: { created: ReadonlyMap<number, CreatedOrder>; refunds: readonly CreatedRefund[] },
  now: Date,
): Promise<DumpState> {
  const file = path.join(database.folder, `${now.getTime()}.dump.gz`);
  await persist(() => writeDump(database.url, file, now));
  const indexesOf = (orders: readonly CreatedOrder[]) => new Set(orders.map(({ plan }) => plan.index));
  const kept = [...created.values()].filter(({ isLost }) => !isLost);
  return {
    file,
    created: indexesOf(kept),
    cancelled: indexesOf(kept.filter(({ isCancelled }) => isCancelled)),
    refunds: new Set(refunds.filter(({ isLost }) => !isLost).map(({ id }) => id)),
  };
}

/**
 * Ends the workers, replaces the database with a dump, using the program behind `npm run restore`, and starts the workers again.
 * @throws Error with the program's output if it fails
 */
export async function restoreDump(world: World, { file }: DumpState): Promise<void> {
  await world.fleet.endAllBut(null);
  world.shop.restart();
  await world.database.replace();
  const program = await buildProgram("scripts/roles/restore.ts");
  try {
    const lines: string[] = [];
    const env = { DATABASE_URL: world.database.url, APP_SECRET };
    const child = program.start(env, (line) => lines.push(line), [file]);
    const [code] = await once(child, "close");
    if (code !== 0) throw new Error(`npm run restore ended with code ${code}:\n${lines.join("\n")}`);
  } finally {
    await program.remove();
  }
  world.fleet.startMissing();
}

/**
 * Returns an order in its state after a restore: lost if it was created after the dump, and not cancelled if it was cancelled after the
 * dump.
 */
export function afterRestore(
  order: CreatedOrder,
  { created, cancelled }: Pick<DumpState, "created" | "cancelled">,
): CreatedOrder {
  const { index } = order.plan;
  return { ...order, isLost: !created.has(index), isCancelled: cancelled.has(index) };
}
