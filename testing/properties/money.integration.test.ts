import { randomInt } from "node:crypto";
import { afterAll, beforeAll, test } from "vitest";
import { useTestDb } from "@/testing/database/clone";
import { runProperty } from "@/testing/properties/run-commands";
import { openPropertyDb, type PropertyDb } from "@/testing/properties/world";

const FIXED_SEED = 26;
const COMMANDS = 10_000;
/** The time limit of the test: shrinking a failing list takes longer than running all passing lists. */
const TIMEOUT_MS = 1_800_000;

const testDb = useTestDb();
let property: PropertyDb;
beforeAll(() => {
  property = openPropertyDb(testDb.ownerUrl);
});
afterAll(() => property.close());

test("the same 10,000 commands as always break no invariant", { timeout: TIMEOUT_MS }, () =>
  runProperty(property, { seed: FIXED_SEED, commands: COMMANDS }),
);

test("10,000 new commands break no invariant; a failure prints its seed", { timeout: TIMEOUT_MS }, () =>
  runProperty(property, { seed: randomInt(2 ** 31), commands: COMMANDS }),
);
