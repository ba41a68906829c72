import { cellsOf, type Line } from "@/bench/table/line";
import { factsOf, type Machine } from "@/bench/table/machine";

const HEAD = ["what", "ours", "limit of the same run", "of the limit"] as const;
const BEGIN = "<!-- bench: begin -->";
const END = "<!-- bench: end -->";

/** Returns the table for a terminal: each part below its name, in columns. */
export function asText(lines: readonly Line[]): string {
  const rows = lines.map(cellsOf);
  const width = (column: number) => Math.max(...[HEAD, ...rows].map((cells) => cells[column]?.length ?? 0));
  const widths = [width(0), width(1), width(2), width(3)];
  const row = ([what, ours, limit, share]: readonly [string, string, string, string]) =>
    [
      what.padEnd(widths[0] ?? 0),
      ours.padStart(widths[1] ?? 0),
      limit.padEnd(widths[2] ?? 0),
      share.padStart(widths[3] ?? 0),
    ].join("   ");
  const text: string[] = [row(HEAD)];
  rows.forEach((cells, index) => {
    const { part } = lines[index] ?? { part: "" };
    if (part !== lines[index - 1]?.part) text.push("", part);
    text.push(row(cells));
  });
  return text.map((line) => line.trimEnd()).join("\n");
}

/** Returns the table for a document, with the machine's specifications. */
export function asMarkdown(lines: readonly Line[], machine: Machine): string {
  const cell = (text: string) => text.replaceAll("|", "\\|");
  const row = (cells: readonly string[]) => `| ${cells.map(cell).join(" | ")} |`;
  const facts = factsOf(machine).map(([name, fact]) => `- ${name}: ${fact}`);
  const rows = lines.map((line) => row([line.part, ...cellsOf(line)]));
  return [...facts, "", row(["part", ...HEAD]), "| --- | --- | ---: | --- | ---: |", ...rows].join("\n");
}

/**
 * Inserts a table at its placeholder in a document.
 * @throws Error if the document has no placeholder
 */
export function intoDocument(document: string, table: string): string {
  const begin = document.indexOf(BEGIN);
  const end = document.indexOf(END);
  if (begin < 0 || end < begin)
    throw new Error(`The document has no position for the table: the line ${BEGIN}, followed by ${END}`);
  return `${document.slice(0, begin + BEGIN.length)}\n${table}\n${document.slice(end)}`;
}
