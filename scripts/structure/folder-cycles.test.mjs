import { expect, test } from "vitest";
import { folderCycles } from "./folder-cycles.mjs";

test("a parent and a child that import each other are a cycle", () => {
  const imports = [
    ["lib/watch/reader.ts", "lib/watch/blocks/scan.ts"],
    ["lib/watch/blocks/scan.ts", "lib/watch/state.ts"],
  ];
  expect(folderCycles(imports)).toEqual([["lib/watch", "lib/watch/blocks"]]);
});

test("a cycle through a third folder is found", () => {
  const imports = [
    ["lib/a/one.ts", "lib/b/two.ts"],
    ["lib/b/two.ts", "lib/c/three.ts"],
    ["lib/c/other.ts", "lib/a/one.ts"],
    ["lib/d/four.ts", "lib/a/one.ts"],
  ];
  expect(folderCycles(imports)).toEqual([["lib/a", "lib/b", "lib/c"]]);
});

test("imports within a folder and imports in one direction are no cycle", () => {
  const imports = [
    ["lib/a/one.ts", "lib/a/two.ts"],
    ["lib/a/two.ts", "lib/a/one.ts"],
    ["lib/a/one.ts", "lib/a/below/three.ts"],
  ];
  expect(folderCycles(imports)).toEqual([]);
});
