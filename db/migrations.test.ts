import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const FOLDER = "db/migrations";
const FIRST = "0000_initial.sql";
/** sha256sum db/migrations/0000_initial.sql */
const FIRST_HASH = "8aee66ff4eb927efe68e4dcd1a723df01b12764d4b05453914f9875bc5d4c1cb";
const later = readdirSync(FOLDER).filter((file) => file.endsWith(".sql") && file !== FIRST);

/** What the version before may still need, or what waits for all rows that are there. */
const TAKES =
  /\bdrop\s+(?:table|column|constraint|index|default)\b|\brename\b|\bset\s+not\s+null\b|\bset\s+data\s+type\b|\balter\s+column\s+\S+\s+type\b|\badd\s+column\b(?![^;]*\bdefault\b)[^;]*\bnot\s+null\b/i;

const kindOf = (text: string) =>
  text.startsWith("-- contract: ") ? "contract" : TAKES.test(text) ? "takes" : "expand";

test("the first migration stays as it is: databases were made by it, and what changes comes as a further one (docs/adr/0019)", () => {
  const hash = createHash("sha256")
    .update(readFileSync(`${FOLDER}/${FIRST}`))
    .digest("hex");
  expect(hash).toBe(FIRST_HASH);
});

test("a migration after the first adds only, or says why nobody needs any more what it takes (docs/adr/0019)", () => {
  expect(later.filter((file) => kindOf(readFileSync(`${FOLDER}/${file}`, "utf8")) === "takes")).toEqual([]);
});

test.each([
  ["expand", 'ALTER TABLE "orders" ADD COLUMN "note" text;'],
  ["expand", 'ALTER TABLE "orders" ADD COLUMN "count" integer DEFAULT 0 NOT NULL;'],
  ["expand", 'CREATE TABLE "notes" ("id" text PRIMARY KEY NOT NULL);'],
  ["takes", 'ALTER TABLE "orders" ADD COLUMN "count" integer NOT NULL;'],
  ["takes", 'ALTER TABLE "orders" DROP COLUMN "note";'],
  ["takes", 'ALTER TABLE "orders" ALTER COLUMN "note" SET NOT NULL;'],
  ["takes", 'ALTER TABLE "orders" ALTER COLUMN "note" SET DATA TYPE varchar;'],
  ["takes", 'ALTER TABLE "orders" RENAME COLUMN "note" TO "remark";'],
  ["contract", '-- contract: nothing reads it since 0.3\nALTER TABLE "orders" DROP COLUMN "note";'],
])("%s: %s", (kind, text) => expect(kindOf(text)).toBe(kind));
