import { createHash, timingSafeEqual } from "node:crypto";
import { type EpayFields, signedText } from "@/lib/integrations/shared/epay/signed-text";

/**
 * Returns the signature of EPay V1: the MD5, in lower-case hex, of the signed text, followed by the key without a separator.
 * @param encoding "latin1" if each character of the fields represents one byte
 */
export function signEpay(fields: EpayFields, key: string, encoding: "utf8" | "latin1" = "utf8"): string {
  return createHash("md5").update(signedText(fields, encoding)).update(key).digest("hex");
}

/** Returns true if the fields, as bytes, have the signature of a key, in lower-case or upper-case hex. */
export function isSignedEpay(fields: EpayFields, key: string): boolean {
  const given = Buffer.from((fields["sign"] ?? "").toLowerCase(), "latin1");
  const right = Buffer.from(signEpay(fields, key, "latin1"));
  return given.length === right.length && timingSafeEqual(given, right);
}
