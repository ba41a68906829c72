import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, truncateSync, writeFileSync } from "node:fs";
import path from "node:path";
import * as z from "zod";
import { Anchor } from "@/sandbox/solana/timeline";
import { StoredTransaction } from "@/sandbox/solana/transactions/stored-transaction";

const Entry = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("anchor"), anchor: Anchor }),
  z.object({ kind: z.literal("block"), slot: z.number(), transactions: z.array(StoredTransaction) }),
  z.object({ kind: z.literal("skip"), from: z.number(), to: z.number() }),
  z.object({ kind: z.literal("fork"), after: z.number(), seed: z.string() }),
  z.object({ kind: z.literal("alpenglow"), slot: z.number() }),
]);
/** An event of the chain; all events in order are its history. */
export type Entry = z.infer<typeof Entry>;

const Head = z.object({ slot: z.number(), isClean: z.boolean() });
type Head = z.infer<typeof Head>;

export interface Journal {
  /** Returns all written entries, in order. */
  entries(): Entry[];
  write(entry: Entry): void;
  head(): Head | null;
  writeHead(head: Head): void;
  /** Returns the accounts as of a slot that can no longer change. */
  bank(): { slot: number; snapshot: Uint8Array } | null;
  writeBank(slot: number, snapshot: Uint8Array): void;
}

const SLOT_BYTES = 8;

/** Opens the journal of a folder, which is created if it is missing. A line that was truncated by a crash is removed. */
export function openJournal(folder: string): Journal {
  mkdirSync(folder, { recursive: true });
  const file = (name: string) => path.join(folder, name);
  const lines = file("journal.jsonl");
  const head = file("head.json");
  const bank = file("bank.bin");
  const text = existsSync(lines) ? readFileSync(lines) : Buffer.alloc(0);
  const whole = text.lastIndexOf("\n") + 1;
  if (whole < text.length) truncateSync(lines, whole);
  const entries = text
    .subarray(0, whole)
    .toString("utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => Entry.parse(JSON.parse(line)));
  return {
    entries: () => entries,
    write: (entry) => appendFileSync(lines, `${JSON.stringify(entry)}\n`, { mode: 0o600 }),
    head: () => (existsSync(head) ? Head.parse(JSON.parse(readFileSync(head, "utf8"))) : null),
    writeHead: (value) => replaceFile(head, JSON.stringify(value)),
    bank: () => (existsSync(bank) ? readBank(readFileSync(bank)) : null),
    writeBank: (slot, snapshot) => {
      const stamp = Buffer.alloc(SLOT_BYTES);
      stamp.writeBigUInt64LE(BigInt(slot));
      replaceFile(bank, Buffer.concat([stamp, snapshot]));
    },
  };
}

/** Returns a journal that stores nothing, for chains that exist only as long as their process. */
export function memoryJournal(): Journal {
  const nothing = () => {};
  return {
    entries: () => [],
    write: nothing,
    head: () => null,
    writeHead: nothing,
    bank: () => null,
    writeBank: nothing,
  };
}

function readBank(bytes: Buffer): { slot: number; snapshot: Uint8Array } {
  return { slot: Number(bytes.readBigUInt64LE(0)), snapshot: new Uint8Array(bytes.subarray(SLOT_BYTES)) };
}

function replaceFile(file: string, content: string | Buffer): void {
  writeFileSync(`${file}.new`, content, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

/** Returns the last slot that had passed before an event, or 0 if the event's entry does not contain a slot. */
export function lastSlot(entry: Entry): number {
  if (entry.kind === "anchor") return entry.anchor.slot - 1;
  if (entry.kind === "skip") return entry.to;
  return entry.kind === "fork" ? 0 : entry.slot;
}
