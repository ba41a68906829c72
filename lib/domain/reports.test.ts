import fc from "fast-check";
import { expect, test } from "vitest";
import { csvLine, escapeXml, neighboursOf, parseFileForm, readMonth, sheetRow } from "@/lib/domain/reports";

const comma = { separator: "comma" } as const;
const semicolon = { separator: "semicolon" } as const;

/** Reads one line as defined by RFC 4180. */
function readLine(line: string, between: string): string[] {
  const cells: string[] = [];
  for (let at = 0; at < line.length - 1; ) {
    const isQuoted = line[at] === '"';
    let text = "";
    if (isQuoted) {
      for (at++; line[at] !== '"' || line[at + 1] === '"'; at++) {
        if (line[at] === '"') at++;
        text += line[at];
      }
      at++;
    } else while (line[at] !== between && line[at] !== "\r") text += line[at++];
    cells.push(text);
    if (line[at] === "\r") return cells;
    at++;
    if (line[at] === "\r") return [...cells, ""];
  }
  return cells;
}

test("a line is read back as it was written, apart from the ' before formulas", () => {
  const texts = fc.array(
    fc.string({ unit: fc.constantFrom("a", '"', ",", ";", "\n", "\r", "=", "-", " ", "é", "＝") }),
    {
      minLength: 1,
    },
  );
  fc.assert(
    fc.property(texts, fc.constantFrom(comma, semicolon), (cells, form) => {
      const read = readLine(csvLine(cells, form), form === comma ? "," : ";");
      expect(read.map((text) => text.replaceAll("'", ""))).toEqual(cells);
    }),
  );
});

test("no spreadsheet finds a formula, whichever separator it splits a line at", () => {
  const texts = fc.array(
    fc.string({ unit: fc.constantFrom("a", '"', ",", ";", "|", "\t", "\n", "=", "@", " ", "－") }),
    {
      minLength: 1,
    },
  );
  fc.assert(
    fc.property(texts, fc.constantFrom(comma, semicolon), (cells, form) => {
      for (const field of csvLine(cells, form).split(/[,;|\t\r\n]/))
        expect(field.replace(/^["\s]*/, "")).not.toMatch(/^[=+\-@＝＋－＠]/);
    }),
  );
});

test.each([
  ["=1+1", `"'=1+1"`],
  ["\t=1", `"'\t'=1"`],
  ["\nx", `"'\nx"`],
  ["＝1", `"'＝1"`],
  ["a;=1", `"a;'=1"`],
  ["a-b", `"a-b"`],
])("formulas are neutralised: %j", (text, expected) => {
  expect(csvLine([text], comma)).toBe(`${expected}\r\n`);
});

test("amounts are written unchanged, with a decimal comma for spreadsheets that expect one", () => {
  const cells = [{ decimal: "-0.000001" }, { decimal: "123456789012345678.5" }, null, new Date("2026-11-22T01:02:03Z")];
  expect(csvLine(cells, comma)).toBe('"-0.000001","123456789012345678.5","","2026-11-22T01:02:03.000Z"\r\n');
  expect(csvLine(cells, semicolon)).toBe('"-0,000001";"123456789012345678,5";"";"2026-11-22T01:02:03.000Z"\r\n');
});

test("a number of a sheet is one only where a spreadsheet keeps each of its digits", () => {
  expect(sheetRow([{ decimal: "123456789.012345" }])).toBe("<row><c><v>123456789.012345</v></c></row>");
  expect(sheetRow([{ decimal: "0.000001" }])).toBe("<row><c><v>0.000001</v></c></row>");
  expect(sheetRow([{ decimal: "1234567890.123456" }])).toContain('t="inlineStr"');
  expect(sheetRow([new Date("2026-11-22T12:00:00Z")])).toBe('<row><c s="1"><v>46348.5</v></c></row>');
});

test("a text of a sheet is text, with any content", () => {
  expect(sheetRow(['=1+1 <&"'])).toContain("=1+1 &lt;&amp;&quot;");
  expect(escapeXml("a\u0000\u000b\ud800b\u{1f600}")).toBe("a\ufffdb\u{1f600}");
});

test("the form of a file is read from the URL", () => {
  expect(parseFileForm(new URLSearchParams())).toEqual({ kind: "csv", separator: "comma", hasBom: false });
  expect(parseFileForm(new URLSearchParams("file=xlsx&separator=semicolon&bom=1"))).toEqual({
    kind: "xlsx",
    separator: "semicolon",
    hasBom: true,
  });
});

test("months are consecutive; an invalid one is the current month", () => {
  const now = new Date("2026-02-28T23:59:59.999Z");
  const december = readMonth("2025-12", now);
  expect(december).toEqual({ name: "2025-12", from: new Date("2025-12-01"), until: new Date("2026-01-01") });
  expect(neighboursOf(december).after).toEqual(readMonth("2026-01", now));
  expect(neighboursOf(readMonth("2026-01", now)).before).toEqual(december);
  expect(["", "2026-13", "x"].map((typed) => readMonth(typed, now).name)).toEqual(["2026-02", "2026-02", "2026-02"]);
});
