import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { EMBED, SCRIPT } from "../components/pay/assets.ts";
import { ASSET_FILES, makeAssets } from "./page-assets.mjs";

test.each(ASSET_FILES)("%s is made of its sources; else run: node scripts/page-assets.mjs", (file) => {
  expect(readFileSync(new URL(`../${file}`, import.meta.url), "utf8") === makeAssets(file).text).toBe(true);
});

test("the script cannot end its own element", () => {
  expect(SCRIPT).not.toMatch(/<\/script|<!--/);
});

test("what shops load is at most 2 KB", () => {
  expect(EMBED.length).toBeLessThanOrEqual(2_048);
});
