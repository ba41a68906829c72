import { createHash, createHmac, timingSafeEqual } from "node:crypto";

/** The fields of an epusdt request or callback as strings: numbers in their shortest decimal form, booleans as "true" and "false". */
export type EpusdtFields = Readonly<Record<string, string>>;

/**
 * The algorithms of signatures: the MD5 of the signed text with the token appended, or its HMAC-SHA256 with the token as the key. The
 * second is that of GMPay since epusdt's Python SDK 0.4.0 and gmpay-edge 1.0.2.
 */
export type SignatureMethod = "md5" | "hmac-sha256";

/** The number of hex digits of an HMAC-SHA256; an MD5 has 32. */
const HMAC_DIGITS = 64;

/** Returns the algorithm of a request's signature, which clients show only by its length. */
export function signatureMethodOf(fields: EpusdtFields): SignatureMethod {
  return fields["signature"]?.length === HMAC_DIGITS ? "hmac-sha256" : "md5";
}

/**
 * Returns the signature of epusdt in lower-case hex. It covers all fields except `signature` and empty ones, sorted by the bytes of their
 * names, with unescaped values.
 */
export function signEpusdt(fields: EpusdtFields, token: string, method: SignatureMethod = "md5"): string {
  return epusdtSigner(fields, method)(token);
}

/** Returns a function that signs the fields with a token. The text is prepared once for all tokens. */
function epusdtSigner(fields: EpusdtFields, method: SignatureMethod): (token: string) => string {
  const names = Object.keys(fields).filter((name) => name !== "signature" && fields[name] !== "");
  const sorted = names.toSorted((one, two) => Buffer.compare(Buffer.from(one), Buffer.from(two)));
  const text = sorted.map((name) => `${name}=${fields[name]}`).join("&");
  if (method === "hmac-sha256") return (token) => createHmac("sha256", token).update(text).digest("hex");
  const hash = createHash("md5").update(text);
  return (token) => hash.copy().update(token).digest("hex");
}

/** Returns a function that returns true if the fields have the signature of a token, in lower-case or upper-case hex. */
export function epusdtVerifier(fields: EpusdtFields): (token: string) => boolean {
  const given = Buffer.from((fields["signature"] ?? "").toLowerCase());
  const sign = epusdtSigner(fields, signatureMethodOf(fields));
  return (token) => {
    const right = Buffer.from(sign(token));
    return given.length === right.length && timingSafeEqual(given, right);
  };
}

/** Returns a JSON number as it is signed: in its shortest decimal form, without an exponent. @param text the number as it was written */
export function signedNumber(text: string): string {
  const value = Number(text);
  const shortest = String(value);
  if (!shortest.includes("e")) return shortest;
  if (Math.abs(value) >= 1) return Number.isFinite(value) ? BigInt(value).toString() : text;
  const [digits = "", exponent = "0"] = shortest.split("e-");
  return value.toFixed(Math.min(100, Number(exponent) + digits.replace(/^-?\d\.?/, "").length));
}
