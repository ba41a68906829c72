import type { AppSecret } from "@/lib/domain/keys/app-secret";
import { encrypt, open } from "@/lib/merchants/vault";

/** The fields of a refund that determine what the merchant pays, and to whom. */
export interface RefundClaim {
  id: string;
  merchantId: string;
  network: string | null;
  address: string | null;
  currency: string;
  microUnits: bigint;
}

/** Returns the name to which the encrypted claim of a refund is bound. */
export const claimName = (id: string) => `refund_requests:${id}`;

/** Encrypts a claim, so that a claim that was changed in the database outside the application can be detected. */
export function encryptClaim(appSecret: AppSecret, claim: RefundClaim): string {
  return encrypt(appSecret, claimName(claim.id), textOf(claim));
}

/** Returns true if the stored claim of a refund is the one that the customer entered. */
export function isClaimUnchanged(
  appSecret: AppSecret,
  { claimCipher, ...claim }: RefundClaim & { claimCipher: string | null },
): boolean {
  if (claimCipher === null) return false;
  try {
    return open(appSecret, claimName(claim.id), claimCipher) === textOf(claim);
  } catch {
    return false;
  }
}

function textOf({ merchantId, network, address, currency, microUnits }: RefundClaim): string {
  return JSON.stringify([merchantId, network, address, currency, microUnits.toString()]);
}
