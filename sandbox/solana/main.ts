/**
 * A Solana node in its own process. It prints "Listening on <url>" and stores its history before it ends on SIGTERM.
 *
 * main.ts <slotMs | manual> <confirmed lag> <finalized lag> [folder]
 */
import * as z from "zod";
import { Chain } from "@/sandbox/solana/chain";
import { memoryJournal, openJournal } from "@/sandbox/solana/journal";
import { serveChain } from "@/sandbox/solana/serve";

const Arguments = z.tuple([
  z.union([z.literal("manual").transform(() => null), z.coerce.number().min(10)]),
  z.coerce.number().int().min(0),
  z.coerce.number().int().min(0),
  z.string().optional(),
]);
const MAX_TICK_MS = 100;

const [slotMs, confirmed, finalized, folder] = Arguments.parse(process.argv.slice(2));
const now = () => Date.now();
const journal = folder ? openJournal(folder) : memoryJournal();
const chain = new Chain({ journal, slotMs, lag: { confirmed, finalized } }, now());
const server = await serveChain(chain, now);
const timer = slotMs === null ? null : setInterval(() => chain.tick(now()), Math.min(slotMs / 2, MAX_TICK_MS));

// The parent normally ends this process. If the parent was killed, this process must end by itself.
const parent = process.ppid;
setInterval(() => {
  if (process.ppid !== parent) process.exit(1);
}, MAX_TICK_MS);

for (const signal of ["SIGTERM", "SIGINT"] as const) {
  process.once(signal, () => {
    if (timer) clearInterval(timer);
    server.close().then(() => {
      chain.close();
      process.exit(0);
    });
  });
}
process.stdout.write(`Listening on ${server.url}\n`);
