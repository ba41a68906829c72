import { createHash, timingSafeEqual } from "node:crypto";

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
