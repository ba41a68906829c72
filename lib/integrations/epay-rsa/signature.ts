import { createPrivateKey, createPublicKey, sign, verify } from "node:crypto";
import { type EpayFields, signedText } from "@/lib/integrations/shared/epay/signed-text";

const DIGEST = "sha256";

/**
 * Returns the signature of EPay V2: RSA PKCS#1 v1.5 with SHA-256 over the signed text, in standard base64.
 * @param privateKey bare base64 of PKCS#8
 */
export function signEpayRsa(fields: EpayFields, privateKey: string): string {
  const key = createPrivateKey({ key: Buffer.from(privateKey, "base64"), format: "der", type: "pkcs8" });
  return sign(DIGEST, signedText(fields, "utf8"), key).toString("base64");
}

/**
 * Returns true if the fields, as bytes, have the signature of a shop.
 * @param publicKey bare base64 of SPKI
 */
export function isSignedEpayRsa(fields: EpayFields, publicKey: string): boolean {
  const key = createPublicKey({ key: Buffer.from(publicKey, "base64"), format: "der", type: "spki" });
  return verify(DIGEST, signedText(fields, "latin1"), key, Buffer.from(fields["sign"] ?? "", "base64"));
}

/** Returns the fields with the time of the signature, which clients accept for 300 seconds, and the signature. */
export function withEpayRsaSignature(fields: EpayFields, privateKey: string, at: Date): EpayFields {
  const timed = { ...fields, timestamp: String(Math.floor(at.getTime() / 1_000)) };
  return { ...timed, sign: signEpayRsa(timed, privateKey), sign_type: "RSA" };
}
