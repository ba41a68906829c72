import type { Network, Token } from "@/lib/domain/networks";

/** What a merchant asks for, already checked. */
export interface OrderTerms {
  mchOrderId: string;
  network: Network;
  /** Of one that is switched off only what was made before can be had again. */
  token: Token;
  /** Base units of the token. */
  amountUnits: bigint;
  notifyUrl: string | null;
  redirectUrl: string | null;
  locale: string | null;
  /** Null: as the merchant set. */
  expiresInSeconds: number | null;
}

/** Who asks, by which key. */
export interface Caller {
  merchantId: string;
  apiKeyId: string;
}
