import { inflateRawSync } from "node:zlib";
import { expect, test } from "vitest";
import type { Cell } from "@/lib/domain/reports";
import { streamFile } from "@/lib/reports/file-stream";

const csv = { kind: "csv", separator: "comma", hasBom: true } as const;
const xlsx = { kind: "xlsx", separator: "comma", hasBom: false } as const;

/** Returns rows from 1 to `count`, and the number of rows read so far. */
function countTo(count: number) {
  const state = { read: 0, isClosed: false };
  async function* rows(): AsyncGenerator<Cell[][]> {
    try {
      while (state.read < count) {
        state.read += 1;
        yield [[{ decimal: `${state.read}` }, "x".repeat(1_000)]];
      }
    } finally {
      state.isClosed = true;
    }
  }
  return { state, sheet: { name: "Rows", head: ["number", "text"], rows: rows() } };
}

const readAll = async (stream: ReadableStream<Uint8Array>) => Buffer.from(await new Response(stream).arrayBuffer());

/** Returns the inflated parts of a ZIP file, as listed in its central directory. */
function unzip(file: Buffer): Map<string, string> {
  const parts = new Map<string, string>();
  let at = file.readUInt32LE(file.length - 6);
  while (file.readUInt32LE(at) === 0x02014b50) {
    const [size, nameLength, extra, offset] = [20, 28, 30, 42].map((cursor) =>
      cursor === 28 || cursor === 30 ? file.readUInt16LE(at + cursor) : file.readUInt32LE(at + cursor),
    ) as [number, number, number, number];
    const name = file.toString("utf8", at + 46, at + 46 + nameLength);
    const start = offset + 30 + file.readUInt16LE(offset + 26) + file.readUInt16LE(offset + 28);
    const bytes = file.subarray(start, start + size);
    parts.set(name, (file.readUInt16LE(at + 10) === 8 ? inflateRawSync(bytes) : bytes).toString());
    at += 46 + nameLength + extra + file.readUInt16LE(at + 32);
  }
  return parts;
}

test("a CSV file begins with its mark and its head, and holds every row", async () => {
  const text = (await readAll(streamFile([countTo(3).sheet], csv))).toString();
  expect(text.split("\r\n").map((line) => line.slice(0, 3))).toEqual(['\ufeff"n', '"1"', '"2"', '"3"', ""]);
});

test("a workbook contains all rows of its sheets; a sheet that is too long continues on the next, with its header", async () => {
  async function* one(): AsyncGenerator<Cell[][]> {
    yield [["b"]];
  }
  const summary = { name: "Sum", head: ["a"], rows: one() };
  const parts = unzip(await readAll(streamFile([summary, countTo(7).sheet], xlsx, 4)));
  const sheets = [1, 2, 3, 4].map((number) => parts.get(`xl/worksheets/sheet${number}.xml`));
  expect(sheets[0]).toContain("b</t>");
  expect(sheets.slice(1, 4).map((sheet) => [...(sheet ?? "").matchAll(/<v>(\d)<\/v>/g)].map(([, n]) => n))).toEqual([
    ["1", "2", "3"],
    ["4", "5", "6"],
    ["7"],
  ]);
  expect(sheets.slice(1).every((sheet) => sheet?.includes("number</t>"))).toBe(true);
  expect(parts.get("xl/workbook.xml")).toMatch(/"Sum".*"Rows".*"Rows 3".*"Rows 4"/);
  expect(parts.get("[Content_Types].xml")).toContain("/xl/worksheets/sheet4.xml");
});

test("a table that just fills a sheet begins no other, and one without rows has its head", async () => {
  expect(unzip(await readAll(streamFile([countTo(3).sheet], xlsx, 4))).has("xl/worksheets/sheet2.xml")).toBe(false);
  expect(unzip(await readAll(streamFile([countTo(0).sheet], xlsx))).get("xl/worksheets/sheet1.xml")).toContain(
    "number</t>",
  );
});

test.each([csv, xlsx])(
  "no more is read than the reader takes, and nothing after it disconnected: $kind",
  async (form) => {
    const { state, sheet } = countTo(1_000_000);
    const reader = streamFile([sheet], form).getReader();
    await reader.read();
    for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
    const read = state.read;
    expect(read).toBeLessThan(20_000);
    await reader.cancel();
    while (!state.isClosed) await new Promise(setImmediate);
    expect(state.read).toBeLessThan(20_000);
  },
);

test.each([csv, xlsx])("a file whose reading fails ends as a failure, not as a short file: $kind", async (form) => {
  const rows = (async function* () {
    yield [["a"]];
    throw new Error("the database is unavailable");
  })();
  await expect(readAll(streamFile([{ name: "a", head: ["a"], rows }], form))).rejects.toThrow(
    "the database is unavailable",
  );
});
