import { parseArgs } from "node:util";
import { findNetwork } from "@/lib/domain/networks";
import { COMMAND_LINE } from "@/lib/domain/networks/closure";
import { inEnglish } from "@/lib/domain/problems/in-english";
import { type ClosedNetwork, closeNetwork } from "@/lib/networks/close-network";
import { runCommand } from "@/scripts/installation/run-command";

/**
 * `npm run close-network -- NAME [--reason TEXT]`: closes a network whose payments can no longer be read, and prints what is still open on
 * it. It can run beside the installation, and can be repeated.
 */
async function run(): Promise<void> {
  const { positionals, values } = parseArgs({ allowPositionals: true, options: { reason: { type: "string" } } });
  const [name, ...rest] = positionals;
  if (!name || rest.length > 0)
    throw new Error('Specify one network, for example: npm run close-network -- bsc --reason "No node responds"');
  const by = { userId: null, name: COMMAND_LINE };
  await runCommand("close-network", async ({ db, now, origin }) => {
    const closed = await closeNetwork(db, { network: name, reason: values.reason ?? "", by }, now);
    if ("problem" in closed) throw new Error(`Nothing was changed. ${inEnglish(closed.problem)}.`);
    for (const line of linesOf(closed, origin)) console.log(line);
  });
}

function linesOf(closed: ClosedNetwork, origin: string): string[] {
  const { network, isNew, pendingCount, heldCount, heldUntil, confirming, confirmingCount } = closed;
  const title = findNetwork(network)?.name ?? network;
  const who = `${utc(closed.closedAt)} by ${closed.closedBy}${closed.reason ? `: ${closed.reason}` : ""}`;
  const listed = confirming.map(
    (order) => `  ${origin}/dashboard/orders/${order.tradeId} (${order.merchantName}, ${order.mchOrderId})`,
  );
  return [
    isNew ? `${title} is closed and takes no orders.` : `${title} was already closed on ${who}.`,
    `Pending orders that can be paid on it: ${pendingCount}. They expire without waiting for the network to be read.`,
    `Held amounts: ${heldCount}.${heldUntil ? ` The last hold ends on ${utc(heldUntil)}.` : ""}`,
    `Orders with a payment on it that is not final: ${confirmingCount}.`,
    ...listed,
    ...(confirmingCount > confirming.length ? [`  and ${confirmingCount - confirming.length} more`] : []),
    ...(confirmingCount > 0 ? ["A user of the merchant can unlink the payment or mark the order as paid."] : []),
    `To reopen the network: npm run reopen-network -- ${network}`,
  ];
}

function utc(at: Date): string {
  return `${at.toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

run().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
