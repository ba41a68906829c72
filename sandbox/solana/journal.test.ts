import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { type Entry, openJournal } from "@/sandbox/solana/journal";

const folder = mkdtempSync(path.join(tmpdir(), "stablegate journal "));
afterAll(() => rmSync(folder, { recursive: true }));

test("what was written is read again in order; a line that was cut short is forgotten, and what follows it is not", () => {
  const entries: Entry[] = [
    { kind: "anchor", anchor: { slot: 1, timeMs: 5, stepMs: 400 } },
    { kind: "skip", from: 2, to: 3 },
    { kind: "fork", after: 1, seed: "x" },
  ];
  const journal = openJournal(folder);
  for (const entry of entries) journal.write(entry);
  appendFileSync(path.join(folder, "journal.jsonl"), '{"kind":"skip","fr');
  const again = openJournal(folder);
  expect(again.entries()).toEqual(entries);
  again.write({ kind: "skip", from: 9, to: 9 });
  expect(openJournal(folder).entries()).toHaveLength(4);
});

test("the head and the accounts are read as they were written", () => {
  const journal = openJournal(folder);
  expect([journal.head(), journal.bank()]).toEqual([null, null]);
  journal.writeHead({ slot: 7, isClean: true });
  journal.writeBank(5, new Uint8Array([1, 2, 3]));
  expect(openJournal(folder).head()).toEqual({ slot: 7, isClean: true });
  expect(openJournal(folder).bank()).toEqual({ slot: 5, snapshot: new Uint8Array([1, 2, 3]) });
});
