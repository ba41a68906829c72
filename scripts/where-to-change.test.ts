import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

test("the files that docs/where-to-change.md names exist", () => {
  const page = readFileSync("docs/where-to-change.md", "utf8");
  const named = [...page.matchAll(/`((?:[a-z0-9.-]+\/)+[a-z0-9.-]*)`/g)].map(([, file = ""]) => file);
  expect(named.length).toBeGreaterThan(30);
  expect(named.filter((file) => !existsSync(file))).toEqual([]);
});
