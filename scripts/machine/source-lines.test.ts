import { SourceMap } from "node:module";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { keepLines } from "@/scripts/machine/source-lines.mjs";

test("each line of a program keeps its line in the source, and no other position", async () => {
  const contents =
    "export function add(a: number, b: number) {\n\n  const sum = a + b;\n\n  return Math.abs(sum) - sum;\n}\n";
  const stdin = { contents, sourcefile: "add.ts", loader: "ts" } as const;
  const { outputFiles } = await build({ stdin, outfile: "add.js", sourcemap: true, write: false, format: "esm" });
  const map = JSON.parse(outputFiles.find(({ path }) => path.endsWith(".map"))?.text ?? "");
  const code = outputFiles.find(({ path }) => path.endsWith(".js"))?.text.split("\n") ?? [];
  const whole = new SourceMap(map);
  const reduced = new SourceMap({ ...map, mappings: keepLines(map.mappings) });
  expect(keepLines(map.mappings)).not.toContain(",");
  for (const [line, text] of code.entries())
    for (let column = text.search(/\S/); column >= 0 && column < text.length; column++) {
      const [wanted, found] = [whole, reduced].map((one) => one.findEntry(line, column));
      const lineOf = (entry: typeof wanted) => entry && "originalLine" in entry && entry.originalLine;
      expect(lineOf(found), `${line}:${column}`).toBe(lineOf(wanted));
    }
});
