import { seen } from "@/lib/domain/fields/json-value";
import type { OrderStatus } from "@/lib/domain/orders/order";
import { problem } from "@/lib/domain/problems/problem";
import { invalidField } from "@/lib/errors";
import { statusOfInvoice } from "@/lib/integrations/greenfield/invoice-status";

const USUAL_TAKE = 50;
const MAX_TAKE = 100;
const MAX_SKIPPED = 2_000;
const MAX_NAMES = 100;
const MAX_TEXT = 512;

/** The invoices to search for. Empty lists and null match every invoice. */
export interface InvoiceSearch {
  orderIds: readonly string[];
  statuses: readonly OrderStatus[];
  /** The first and the last time of creation, both included. */
  from: Date | null;
  to: Date | null;
  limit: number;
  offset: number;
  /** The forms of a search text; empty: every invoice matches. */
  texts: readonly string[];
  isWithArchived: boolean;
}

/** Reads the parameters of a search; a name may be repeated, as `orderId=1&orderId=2` or `orderId[]=1`. @throws AppError 10001 */
export function readInvoiceSearch(query: URLSearchParams): InvoiceSearch {
  const statuses = namesIn(query, "status").map((name) => {
    const status = statusOfInvoice(name);
    if (status) return status;
    throw invalidField("status", problem("invoice_status_unknown", { given: seen(name) }));
  });
  const from = readNumber(query, "startDate");
  const to = readNumber(query, "endDate");
  if (from !== null && to !== null && from > to)
    throw invalidField("startDate", problem("dates_reversed", { from, to }));
  return {
    orderIds: namesIn(query, "orderId"),
    statuses,
    from: from === null ? null : new Date(from * 1_000),
    to: to === null ? null : new Date(to * 1_000),
    limit: Math.min(readNumber(query, "take") ?? USUAL_TAKE, MAX_TAKE),
    offset: Math.min(readNumber(query, "skip") ?? 0, MAX_SKIPPED),
    texts: formsOf((query.get("textSearch") ?? "").trim().slice(0, MAX_TEXT)),
    isWithArchived: readFlag(query, "includeArchived"),
  };
}

/**
 * Returns the forms in which a text can be a part of stored metadata, which keeps the escape sequences of the client that wrote it: none, those
 * that JSON requires, those for other characters than ASCII (Python), and those for slashes too (PHP).
 */
function formsOf(text: string): string[] {
  const plain = text.toWellFormed().replaceAll("\u0000", "");
  if (plain === "") return [];
  const json = JSON.stringify(plain).slice(1, -1);
  const ascii = json.replace(/[\u0080-\uffff]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`);
  return [...new Set([plain, json, ascii, ascii.replaceAll("/", "\\/")])];
}

function readFlag(query: URLSearchParams, name: string): boolean {
  const text = (query.get(name) ?? "").toLowerCase();
  if (text === "" || text === "false") return false;
  if (text === "true") return true;
  throw invalidField(name, problem("flag_malformed"));
}

function namesIn(query: URLSearchParams, name: string): string[] {
  const pattern = new RegExp(`^${name}(?:\\[\\d*\\])?$`);
  const found = [...query].flatMap(([key, value]) => (pattern.test(key) ? [value.replaceAll("\u0000", "")] : []));
  if (found.length > MAX_NAMES) throw invalidField(name, problem("field_named_twice", { max: MAX_NAMES }));
  return found;
}

function readNumber(query: URLSearchParams, name: string): number | null {
  const text = query.get(name) ?? "";
  if (text === "") return null;
  if (/^\d{1,10}$/.test(text)) return Number(text);
  throw invalidField(name, problem("digits_malformed", { given: seen(text), max: 10 }));
}
