import { createHash, createHmac } from "node:crypto";

/** epusdt's rules as its clients implement them, independent of the service's own code. */
type Value = string | number | boolean | null;

const md5 = (text: string) => createHash("md5").update(text, "utf8").digest("hex");

/** Formats a value as Go clients do for signing: floats with %v, which uses an exponent from 1e21 and below 1e-4. */
function goValue(value: Value): string {
  if (typeof value !== "number" || value === 0) return String(value ?? "");
  const size = Math.abs(value);
  if (size >= 1e-4 && size < 1e21) return String(value);
  return value.toExponential().replace(/e([+-])(\d)$/, "e$10$2");
}

/**
 * Formats a value as PHP clients do for signing: floats with 14 significant digits and an exponent below 1e-4, false as an empty string.
 */
function phpValue(value: Value): string {
  if (typeof value === "boolean") return value ? "1" : "";
  if (typeof value !== "number" || Number.isInteger(value)) return String(value ?? "");
  const short = Number(value.toPrecision(14));
  if (Math.abs(short) >= 1e-4) return String(short);
  const [digits = "", exponent = ""] = short.toExponential().split("e");
  return `${digits.includes(".") ? digits : `${digits}.0`}E${exponent}`;
}

function signedText(fields: Record<string, Value>, textOf: (value: Value) => string): string {
  const parts: string[] = [];
  for (const name of Object.keys(fields).sort()) {
    const text = textOf(fields[name] ?? null);
    if (name !== "signature" && text !== "") parts.push(`${name}=${text}`);
  }
  return parts.join("&");
}

export const goSign = (fields: Record<string, Value>, token: string) => md5(signedText(fields, goValue) + token);
export const phpSign = (fields: Record<string, Value>, token: string) => md5(signedText(fields, phpValue) + token);

/** Signs as clients of GMPay do since the Python SDK 0.4.0 and gmpay-edge 1.0.2. */
export const hmacSign = (fields: Record<string, Value>, token: string) =>
  createHmac("sha256", token).update(signedText(fields, String), "utf8").digest("hex");
