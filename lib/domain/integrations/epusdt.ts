import { createHash, timingSafeEqual } from "node:crypto";
import type { Echo } from "@/lib/domain/integration";
import { type DetailData, exactNumber, writeJson } from "@/lib/domain/orders/order-wire";

/** Fields of an epusdt request or callback: texts, numbers as texts in shortest decimal form, true and false as words. */
export type EpusdtFields = Readonly<Record<string, string>>;

/**
 * The signature of epusdt: every field but `signature` and empty ones, by name in the order of bytes, the token behind them without a
 * separator; MD5 in lower hex.
 */
export function signEpusdt(fields: EpusdtFields, token: string): string {
  return epusdtSigner(fields)(token);
}

/** Returns what signs the fields with a token. The fields are hashed once, however many tokens sign them. */
function epusdtSigner(fields: EpusdtFields): (token: string) => string {
  const names = Object.keys(fields).filter((name) => name !== "signature" && fields[name] !== "");
  const sorted = names.toSorted((one, two) => Buffer.compare(Buffer.from(one), Buffer.from(two)));
  const hash = createHash("md5").update(sorted.map((name) => `${name}=${fields[name]}`).join("&"));
  return (token) => hash.copy().update(token).digest("hex");
}

/** Returns whether fields carry the signature of a token, in lower-case or upper-case hex. */
export function epusdtVerifier(fields: EpusdtFields): (token: string) => boolean {
  const given = Buffer.from((fields["signature"] ?? "").toLowerCase());
  const sign = epusdtSigner(fields);
  return (token) => {
    const right = Buffer.from(sign(token));
    return given.length === right.length && timingSafeEqual(given, right);
  };
}

/** A number of JSON as it is signed: its value in shortest decimal form, never with an exponent. @param text as it stood there */
export function signedNumber(text: string): string {
  const value = Number(text);
  const shortest = String(value);
  if (!shortest.includes("e")) return shortest;
  if (Math.abs(value) >= 1) return Number.isFinite(value) ? BigInt(value).toString() : text;
  const [digits = "", exponent = "0"] = shortest.split("e-");
  return value.toFixed(Math.min(100, Number(exponent) + digits.replace(/^-?\d\.?/, "").length));
}

/** A decimal text without zeros at its end: clients that make a number of it find the same text again. */
export function shortDecimal(text: string): string {
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

/** What epusdt calls the states of an order. */
export const EPUSDT_STATUS = { waiting: 1, paid: 2, expired: 3 } as const;

/**
 * What epusdt tells of an order that is paid, without its signature: with it exactly the fields that every client knows, for some sign
 * these alone and others whatever they get. `actual_amount` is a text, because long numbers of JSON lose digits in PHP.
 */
export function writeEpusdtNews(echo: Echo, data: DetailData): string {
  return writeJson({
    trade_id: data.trade_id,
    order_id: data.mch_order_id,
    amount: exactNumber(echo["amount"] ?? "0"),
    actual_amount: shortDecimal(JSON.stringify(data.actual_amount)),
    token: data.address ?? "",
    block_transaction_id: data.tx_hash ?? "",
    status: EPUSDT_STATUS.paid,
  });
}

/** The same with its signature: the body that leaves. @param news as `writeEpusdtNews` made it */
export function withEpusdtSignature(news: string, token: string): string {
  const fields = JSON.parse(news) as Record<string, string | number>;
  const texts = Object.entries(fields).map(([name, value]) => [name, String(value)]);
  const signature = signEpusdt(Object.fromEntries(texts), token);
  return `${news.slice(0, -1)},"signature":"${signature}"}`;
}

/** Whether an answer says that a shop has taken a payment in: its body is "ok" or "success", trimmed and in any case. */
export function isEpusdtAck(httpStatus: number, answer: string): boolean {
  return (
    httpStatus === 200 &&
    ["ok", "success"].includes(
      answer
        .replace(/^\uFEFF/, "")
        .trim()
        .toLowerCase(),
    )
  );
}
