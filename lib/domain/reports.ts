import { STANDING_KINDS } from "@/lib/domain/credit-target";
import { choice } from "@/lib/domain/fields/values";
import { readQuery } from "@/lib/domain/list-filter";
import type { Currency } from "@/lib/domain/networks";

/** The value of a cell in a file: a string, a time, an exact decimal as a string, or empty. */
export type Cell = string | Date | { decimal: string } | null;

/**
 * The format of a file for accountants. `semicolon`: the separator is a semicolon and decimals have a comma, as spreadsheets in much of
 * Europe expect.
 */
export interface FileForm {
  kind: "csv" | "xlsx";
  separator: "comma" | "semicolon";
  /** True if the file starts with a byte order mark, without which some spreadsheets do not recognize UTF-8. */
  hasBom: boolean;
}

const FILE_FORM = {
  file: choice(["csv", "xlsx"]),
  separator: choice(["comma", "semicolon"]),
  bom: choice(["1"]),
};

/** Reads the format of a file from the parameters of a URL: `file=csv|xlsx`, `separator=semicolon`, `bom=1`. */
export function parseFileForm(params: URLSearchParams): FileForm {
  const { file = "csv", separator = "comma", bom } = readQuery(FILE_FORM, Object.fromEntries(params));
  return { kind: file, separator, hasBom: bom === "1" };
}

/** Matches the start of a formula in any spreadsheet, including tabs, line breaks and full-width forms, which are normalized (CWE-1236). */
const STARTS_FORMULA = /^["\s]*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/;
const FORMULA_AFTER_SEPARATOR = /([,;|\t\r\n]["\s]*)(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/g;

/**
 * Returns one line of a CSV file (RFC 4180) with every value in quotes. An apostrophe (') is inserted before everything that a spreadsheet
 * would run as a formula, at the start of a text or after a separator in it. A spreadsheet may split a line at a different separator.
 */
export function csvLine(cells: readonly Cell[], { separator }: Pick<FileForm, "separator">): string {
  const between = separator === "semicolon" ? ";" : ",";
  return `${cells.map((cell) => `"${csvText(cell, separator).replaceAll('"', '""')}"`).join(between)}\r\n`;
}

function csvText(cell: Cell, separator: FileForm["separator"]): string {
  if (cell === null) return "";
  if (cell instanceof Date) return cell.toISOString();
  if (typeof cell !== "string") return separator === "semicolon" ? cell.decimal.replace(".", ",") : cell.decimal;
  return (STARTS_FORMULA.test(cell) ? `'${cell}` : cell).replace(FORMULA_AFTER_SEPARATOR, "$1'");
}

/** The number of digits that a spreadsheet preserves in a number. */
const EXACT_DIGITS = 15;
const DAY_MS = 86_400_000;
/** Day 0 of spreadsheet dates, as counted from March 1900 on. */
const DAY_ZERO = Date.UTC(1899, 11, 30);
/** The maximum number of characters in one cell of a spreadsheet. */
const LONGEST_TEXT = 32_767;

/**
 * Returns one row of a sheet in SpreadsheetML. Style 1 is the format of times. A number that a spreadsheet would round is written as text.
 */
export function sheetRow(cells: readonly Cell[]): string {
  return `<row>${cells.map(sheetCell).join("")}</row>`;
}

function sheetCell(cell: Cell): string {
  if (cell === null) return "<c/>";
  if (cell instanceof Date) return `<c s="1"><v>${(cell.getTime() - DAY_ZERO) / DAY_MS}</v></c>`;
  if (typeof cell === "string") return sheetText(cell);
  const digits = cell.decimal.replace(/^-?0*\.?0*/, "").replace(".", "");
  return digits.length > EXACT_DIGITS ? sheetText(cell.decimal) : `<c><v>${cell.decimal}</v></c>`;
}

function sheetText(text: string): string {
  return `<c t="inlineStr"><is><t xml:space="preserve">${escapeXml(text.slice(0, LONGEST_TEXT))}</t></is></c>`;
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Escapes a text for XML and leaves out characters that XML 1.0 does not allow. */
export function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "")
    .replace(/[&<>"]/g, (character) => ENTITIES[character] ?? "");
}

/**
 * The kinds of ledger entries: credited to the order that held its amount; assigned to an order by a user; credited to another target;
 * unmatched; a sweep from another address of the merchant; removed by a reorg; not final yet; a look-alike token; or a refund that the
 * merchant recorded and the chain shows, which is not a receipt.
 */
export const LEDGER_KINDS = [
  "matched",
  "assigned",
  ...STANDING_KINDS,
  "unmatched",
  "swept",
  "reversed",
  "open",
  "look_alike",
  "refunded",
] as const;
export type LedgerKind = (typeof LEDGER_KINDS)[number];

/** Transfers of one kind in one token within a month. */
export interface LedgerSum {
  network: string;
  /** Null for look-alike tokens, which are counted but never summed. */
  currency: Currency | null;
  kind: LedgerKind;
  transfers: number;
  units: bigint;
}

/** A period that starts at `from` and ends just before `until`. */
export interface Period {
  from: Date;
  until: Date;
}

/** The maximum number of days of a report that is requested through the API. */
export const MAX_REPORT_DAYS = 366;

/** Returns the period of the days from the first to the last, which are the starts of days in UTC; null if it is reversed or too long. */
export function periodOf(first: Date, last: Date): Period | null {
  const days = (last.getTime() - first.getTime()) / DAY_MS + 1;
  if (days < 1 || days > MAX_REPORT_DAYS) return null;
  return { from: first, until: new Date(last.getTime() + DAY_MS) };
}

/** Returns the start of the last day of a period that ends just before `until`. */
export function dayBefore(until: Date): Date {
  return new Date(until.getTime() - DAY_MS);
}

/** A calendar month in UTC. */
export interface Month extends Period {
  /** "2026-11" */
  name: string;
}

/** Reads a month from a URL; the current month if the value is invalid. */
export function readMonth(typed: string, now: Date): Month {
  const isMonth = /^(20\d\d)-(0[1-9]|1[0-2])$/.test(typed);
  return monthOf(isMonth ? new Date(`${typed}-01T00:00:00Z`) : now);
}

/** Returns the months before and after a month. */
export function neighboursOf({ from, until }: Month): { before: Month; after: Month } {
  return { before: monthOf(new Date(from.getTime() - DAY_MS)), after: monthOf(until) };
}

function monthOf(at: Date): Month {
  const year = at.getUTCFullYear();
  const month = at.getUTCMonth();
  const from = new Date(Date.UTC(year, month, 1));
  return { name: from.toISOString().slice(0, 7), from, until: new Date(Date.UTC(year, month + 1, 1)) };
}
