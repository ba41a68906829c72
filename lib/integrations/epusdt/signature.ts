import { createHash, timingSafeEqual } from "node:crypto";

/** The fields of an epusdt request or callback as strings: numbers in their shortest decimal form, booleans as "true" and "false". */
export type EpusdtFields = Readonly<Record<string, string>>;

/**
 * Returns the signature of epusdt: the MD5, in lower-case hex, of all fields except `signature` and empty ones, sorted by the bytes of their
 * names, followed by the token without a separator.
 */
export function signEpusdt(fields: EpusdtFields, token: string): string {
  return epusdtSigner(fields)(token);
}

/** Returns a function that signs the fields with a token. The fields are hashed once for all tokens. */
function epusdtSigner(fields: EpusdtFields): (token: string) => string {
  const names = Object.keys(fields).filter((name) => name !== "signature" && fields[name] !== "");
  const sorted = names.toSorted((one, two) => Buffer.compare(Buffer.from(one), Buffer.from(two)));
  const hash = createHash("md5").update(sorted.map((name) => `${name}=${fields[name]}`).join("&"));
  return (token) => hash.copy().update(token).digest("hex");
}

/** Returns a function that returns true if the fields have the signature of a token, in lower-case or upper-case hex. */
export function epusdtVerifier(fields: EpusdtFields): (token: string) => boolean {
  const given = Buffer.from((fields["signature"] ?? "").toLowerCase());
  const sign = epusdtSigner(fields);
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
