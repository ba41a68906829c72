import { type EpusdtFields, epusdtVerifier, signEpusdt } from "@/lib/integrations/epusdt/signature";

/**
 * Returns the signature of EPay V1 as GMPay computes it: its MD5 signature, in which `sign` and `sign_type` take the place of `signature`.
 * Source: epusdt's `route/router.go`.
 */
export function signEpay(fields: EpusdtFields, token: string): string {
  return signEpusdt(signedFields(fields), token);
}

/** Returns a function that returns true if the fields have the EPay signature of a token. */
export function epayVerifier(fields: EpusdtFields): (token: string) => boolean {
  const signature = fields["sign"] ?? "";
  return signature.length === MD5_DIGITS ? epusdtVerifier({ ...signedFields(fields), signature }) : () => false;
}

const MD5_DIGITS = 32;

function signedFields({ sign: _, sign_type: __, ...signed }: EpusdtFields): EpusdtFields {
  return signed;
}
