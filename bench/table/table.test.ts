import { expect, test } from "vitest";
import { cellsOf, figure, type Line, type Row, shareOf } from "@/bench/table/line";
import { asMarkdown, asText, intoDocument } from "@/bench/table/print";
import { chosenParts, measureParts } from "@/bench/table/run-parts";

const row = (more: Partial<Row> = {}): Row => ({
  part: "creates",
  what: "orders",
  unit: "/s",
  ours: 800,
  better: "more",
  limit: { what: "bare INSERTs", value: 1_000 },
  ...more,
});
const machine = {
  cores: 2,
  cpu: "A processor",
  memoryBytes: 8 * 2 ** 30,
  load: { before: 0.25, after: 1.5 },
  system: "linux 6",
  node: "v24.0.0",
  postgres: "18.4",
  date: new Date("2026-01-02T03:04:05Z"),
  seconds: 600,
};

test("the share of the limit is one where it is reached, whichever way is better", () => {
  expect(shareOf(row())).toBe(0.8);
  expect(shareOf(row({ better: "less", unit: "ms" }))).toBe(1.25);
  expect(shareOf(row({ ours: 1_000 }))).toBe(1);
});

test("values that cannot be compared have no ratio", () => {
  for (const ours of [0, -1, Number.NaN, Number.POSITIVE_INFINITY]) expect(shareOf(row({ ours }))).toBeNull();
  expect(shareOf(row({ limit: { what: "nothing", value: 0 } }))).toBeNull();
  expect(cellsOf(row({ ours: Number.NaN }))).toEqual(["orders", "? /s", "1,000 /s · bare INSERTs", "–"]);
});

test("figures keep three digits that count, and all before the point", () => {
  expect([1_234.5, 123.45, 12.345, 1.2345, 0.0123, -12.34].map(figure)).toEqual([
    ...["1,235", "123", "12.3", "1.23", "0.01", "-12.3"],
  ]);
});

test("the table has a row for each figure, and a reason for each figure that was not measured", () => {
  const lines: Line[] = [row(), { part: "page", what: "first paint", why: "no Chromium was found" }];
  const text = asText(lines);
  expect(text.split("\n")).toHaveLength(7);
  expect(text).toMatch(/^orders +800 \/s +1,000 \/s · bare INSERTs +80 %$/m);
  expect(text).toMatch(/^first paint +– +not measured: no Chromium was found +–$/m);
  const markdown = asMarkdown(lines, machine);
  expect(markdown).toContain("- Machine: 2 cores of A processor, 8 GB of memory, linux 6");
  expect(markdown).toContain("- Run: 2026-01-02 03:04 UTC, 10 minutes");
  expect(markdown).toContain("| creates | orders | 800 /s | 1,000 /s · bare INSERTs | 80 % |");
  expect(markdown).toContain("| page | first paint | – | not measured: no Chromium was found | – |");
});

test("a document keeps the text around the table, and needs a position for it", () => {
  const document = "# Speed\n<!-- bench: begin -->\nold\n<!-- bench: end -->\nReading\n";
  const once = intoDocument(document, "new");
  expect(once).toBe("# Speed\n<!-- bench: begin -->\nnew\n<!-- bench: end -->\nReading\n");
  expect(intoDocument(once, "new")).toBe(once);
  expect(() => intoDocument("# Speed\n", "new")).toThrow("has no position for the table");
});

test("a part that fails is a row with its reason, and the others continue", async () => {
  const parts = {
    scan: { what: "reading", measure: () => Promise.reject(new Error("no node\nat line 1")) },
    creates: { what: "creating", measure: async () => [row()] },
  };
  const { lines, isWhole } = await measureParts(parts, [], () => {});
  expect(lines).toEqual([
    { part: "scan", what: "reading", why: "it failed: no node at line 1", hasFailed: true },
    row(),
  ]);
  expect(isWhole).toBe(false);
});

test("named parts are measured alone, in the order of the table; an unknown name is reported", async () => {
  const parts = Object.fromEntries(
    ["creates", "scan", "page"].map((part) => [part, { what: part, measure: async () => [row({ part })] }]),
  );
  const { lines } = await measureParts(parts, ["page", "creates"], () => {});
  expect(lines.map(({ part }) => part)).toEqual(["creates", "page"]);
  expect(() => chosenParts(parts, ["orders", "page"])).toThrow("Unknown part: orders. Available: creates, scan, page");
});
