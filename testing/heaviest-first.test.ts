import { globSync } from "node:fs";
import { expect, test } from "vitest";
import { HEAVIEST } from "@/testing/heaviest-first";

test("every file that is to begin early is there", () => {
  for (const name of HEAVIEST) expect(globSync(`${name}*integration.test.ts`), name).toHaveLength(1);
});
