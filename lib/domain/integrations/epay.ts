import { createHash, timingSafeEqual } from "node:crypto";
import type { Echo } from "@/lib/domain/integration";
import { tradeTypeOf } from "@/lib/domain/integrations/trade-type";
import type { DetailData } from "@/lib/domain/orders/order-wire";

/** Fields of an EPay request or callback, by their names; of a list there is nothing here. */
export type EpayFields = Readonly<Record<string, string>>;

/** Texts of which PHP’s trim leaves nothing. */
export const BLANK = /^[ \t\n\r\0\v]*$/;
const UNSIGNED = new Set(["sign", "sign_type"]);

/**
 * The sign of EPay V1: every field but sign, sign_type and blank ones, by name in the order of bytes, values as they are, the key behind
 * them without a separator; MD5 in lower hex.
 * @param encoding "latin1" where each character of the fields stands for a byte, as they came
 */
export function signEpay(fields: EpayFields, key: string, encoding: "utf8" | "latin1" = "utf8"): string {
  const pairs = Object.entries(fields)
    .filter(([name, value]) => !UNSIGNED.has(name) && !BLANK.test(value))
    .map(([name, value]) => Buffer.from(`${name}=${value}`, encoding));
  const text = byName(pairs).flatMap((pair, index) => (index === 0 ? [pair] : [AND, pair]));
  return createHash("md5")
    .update(Buffer.concat([...text, Buffer.from(key)]))
    .digest("hex");
}

const AND = Buffer.from("&");

function byName(pairs: readonly Buffer[]): Buffer[] {
  const nameOf = (pair: Buffer) => pair.subarray(0, pair.indexOf("="));
  return pairs.toSorted((one, two) => Buffer.compare(nameOf(one), nameOf(two)));
}

/** Whether fields, as they came byte for byte, carry the sign of this key; upper-case hex counts, too. */
export function isSignedEpay(fields: EpayFields, key: string): boolean {
  const given = Buffer.from((fields["sign"] ?? "").toLowerCase(), "latin1");
  const right = Buffer.from(signEpay(fields, key, "latin1"));
  return given.length === right.length && timingSafeEqual(given, right);
}

const READ_FIELDS = ["pid", "type", "out_trade_no", "notify_url", "return_url", "name", "money", "param"];
const HOLDS_FIELD = new RegExp(`&(?:${READ_FIELDS.join("|")})=`);
const URL_FIELDS = new Set(["notify_url", "return_url"]);
const HOLDS_FIELD_OF_SHOP = /&(?:notify_url|return_url|out_trade_no)=/;

/**
 * Returns the name of a signed field whose value holds another field, or null. The signed text joins names and values with "&" and "="
 * and escapes nothing, so that a product name such as "book&notify_url=https://…" has the same signature as a request to that
 * notify_url, whose real one is hidden in another value. A URL may have parameters with the names of fields, except for those that
 * such a request has to hide.
 */
export function findAmbiguousField(fields: EpayFields): string | null {
  const pid = `&pid=${fields["pid"] ?? ""}`;
  const isAmbiguous = ([name, value]: [string, string]) => {
    if (UNSIGNED.has(name)) return false;
    if (!URL_FIELDS.has(name)) return HOLDS_FIELD.test(value);
    return HOLDS_FIELD_OF_SHOP.test(value) || `${value}&`.includes(`${pid}&`);
  };
  return Object.entries(fields).find(isAmbiguous)?.[0] ?? null;
}

/**
 * What EPay tells of an order that is paid, without its sign. Nothing in it is empty: clients of V2Board's kind sign empty ones, too,
 * and others leave them out.
 */
export function epayNews(echo: Echo, data: DetailData): EpayFields {
  const fields = {
    pid: echo["pid"] ?? "",
    trade_no: data.trade_id,
    out_trade_no: data.mch_order_id,
    type: echo["type"] || tradeTypeOf(data),
    name: echo["name"] ?? "",
    money: echo["money"] ?? "",
    trade_status: "TRADE_SUCCESS",
    param: echo["param"] ?? "",
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => !BLANK.test(value)));
}

/** An address with these fields behind what its query holds already, and their sign. */
export function withEpayFields(url: string, fields: EpayFields, key: string): string {
  const all = { ...fields, sign: signEpay(fields, key), sign_type: "MD5" };
  const query = Object.entries(all).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  const [base = "", ...fragment] = url.split("#");
  const joint = base.includes("?") ? (/[?&]$/.test(base) ? "" : "&") : "?";
  return [`${base}${joint}${query.join("&")}`, ...fragment].join("#");
}

/** "success" as a word of its own, in any case: "unsuccessful" is none. */
const SUCCESS = /(?<![\p{L}\p{N}_])success(?![\p{L}\p{N}_])/iu;

/** Whether an answer says that a shop has taken a payment in: status 200 alone does not, for a refusal is answered so, too. */
export function isEpayAck(httpStatus: number, answer: string): boolean {
  return httpStatus === 200 && SUCCESS.test(answer);
}
