import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const FOLDER = "db/migrations";
const FIRST = "0000_initial.sql";
/** The sha256sum of db/migrations/0000_initial.sql. */
const FIRST_HASH = "8aee66ff4eb927efe68e4dcd1a723df01b12764d4b05453914f9875bc5d4c1cb";
const later = readdirSync(FOLDER).filter((file) => file.endsWith(".sql") && file !== FIRST);

/** A pattern for statements that remove what the previous version may need, or that must process all existing rows. */
const TAKES =
  /\bdrop\s+(?:table|column|constraint|index|default)\b|\brename\b|\bset\s+not\s+null\b|\bset\s+data\s+type\b|\balter\s+column\s+\S+\s+type\b|\badd\s+column\b(?![^;]*\bdefault\b)[^;]*\bnot\s+null\b/i;

const kindOf = (text: string) =>
  text.startsWith("-- contract: ") ? "contract" : TAKES.test(text) ? "takes" : "expand";

test("the first migration does not change, because databases were created by it (docs/adr/0019)", () => {
  const hash = createHash("sha256")
    .update(readFileSync(`${FOLDER}/${FIRST}`))
    .digest("hex");
  expect(hash).toBe(FIRST_HASH);
});

test("a migration after the first only adds, or gives the reason why the previous version does not need the removed part (docs/adr/0019)", () => {
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

const TESTS = ["migrations.integration.test.ts", "amounts-without-currency.integration.test.ts"];
const testTexts = TESTS.map((file) => readFileSync(`db/${file}`, "utf8")).join("\n");

/** A pattern for statements that change no row and cannot fail because of one. */
const INDEPENDENT_OF_ROWS =
  /^(?:create table|create index|drop index|alter table \S+ (?:add column(?!.*\b(?:default|not null)\b)|add constraint \S+ foreign key|alter column \S+ drop not null|drop constraint))\b/i;
const IN_NEW_TABLE = /^(?:create unique index .* on|alter table) "(\w+)"/i;

function listStatements(text: string): string[] {
  return text
    .split("--> statement-breakpoint")
    .map((part) =>
      part
        .replaceAll(/^--.*$/gm, "")
        .replaceAll(/\s+/g, " ")
        .trim(),
    )
    .filter((statement) => statement !== "");
}

/** Returns whether a migration changes existing rows, or depends on them. */
function transformsRows(text: string): boolean {
  const created = new Set([...text.matchAll(/create table "(\w+)"/gi)].map(([, table]) => table));
  return listStatements(text).some(
    (statement) => !INDEPENDENT_OF_ROWS.test(statement) && !created.has(IN_NEW_TABLE.exec(statement)?.[1]),
  );
}

/** Returns the name of a migration, which a test passes to `migrateToBefore` or begins its title with. */
const nameOf = (file: string) => file.replace(/^\d+_|\.sql$/g, "");

test("a migration that changes or depends on rows that exist has a test with its name", () => {
  const transforming = later.filter((file) => transformsRows(readFileSync(`${FOLDER}/${file}`, "utf8"))).map(nameOf);
  expect(transforming).toContain("email_verified");
  expect(transforming.filter((name) => !new RegExp(`"${name}(?:"|: )`).test(testTexts))).toEqual([]);
});

test.each([
  [true, 'UPDATE "users" SET "note" = \'\';'],
  [true, 'WITH old AS (DELETE FROM "users" RETURNING id) SELECT 1;'],
  [true, "DO $$ BEGIN PERFORM 1; END $$;"],
  [true, 'DROP TABLE "users";'],
  [true, 'ALTER TABLE "users" ADD COLUMN "note" text DEFAULT \'\' NOT NULL;'],
  [true, 'ALTER TABLE "users" ALTER COLUMN "note" SET DEFAULT \'\';'],
  [true, 'ALTER TABLE "users" ADD CONSTRAINT "note_check" CHECK ("note" <> \'\');'],
  [true, 'CREATE UNIQUE INDEX "note_key" ON "users" USING btree ("note");'],
  [false, 'ALTER TABLE "users" ADD COLUMN "note" text;'],
  [false, 'CREATE INDEX "note_idx" ON "users" USING btree ("note");'],
  [
    false,
    'CREATE TABLE "notes" ("id" text);--> statement-breakpoint\nCREATE UNIQUE INDEX "note_key" ON "notes" ("id");',
  ],
])("%s: %s", (transforms, text) => expect(transformsRows(text)).toBe(transforms));
