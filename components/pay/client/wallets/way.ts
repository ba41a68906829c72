import type { WalletRequest, WalletStatus } from "@/lib/domain/checkout/wallet-request";

/** The requests to a wallet of one family. Each may reject with any error of the wallet, or with a Refusal. */
export interface Way {
  /** Asks for the payer's account. */
  connect(request: WalletRequest): Promise<string>;
  /** Brings the wallet to the order's chain, and finds out early what it could not pay. */
  enter(request: WalletRequest, account: string): Promise<void>;
  /** Returns true if the wallet is on the order's chain now. */
  isThere(request: WalletRequest): Promise<boolean>;
  /** Asks for the signature; the wallet sends. */
  send(request: WalletRequest, account: string): Promise<unknown>;
}

/** A wallet that announced itself; its name and icon are unverified. */
export interface FoundWallet {
  name: string;
  icon: string;
  way: Way;
}

/** An end that the page has words for. */
export class Refusal {
  readonly status: WalletStatus;

  constructor(status: WalletStatus) {
    this.status = status;
  }
}

/** The provider of EIP-1193 and TIP-1193. */
export interface Provider {
  request(args: { method: string; params?: unknown }): Promise<unknown>;
}

const TRANSFER = "a9059cbb";
const BALANCE_OF = "70a08231";
const WORD = 64;

const status = (hex: string) => hex.replace(/^0x/, "").toLowerCase().padStart(WORD, "0");

/**
 * Calldata of `transfer(address,uint256)`: the first four bytes of the signature's Keccak-256, then both arguments as 32 bytes.
 * @see https://eips.ethereum.org/EIPS/eip-20
 * @see https://docs.soliditylang.org/en/latest/abi-spec.html
 */
export function transferData(recipient: string, units: string): string {
  return `0x${TRANSFER}${status(recipient)}${status(BigInt(units).toString(16))}`;
}

/** Calldata of `balanceOf(address)`. */
export function balanceData(account: string): string {
  return `0x${BALANCE_OF}${status(account)}`;
}

/** Returns the code of an error, at any depth: mobile wallets wrap the errors of their node or extension. */
export function codeOf(error: unknown): number | undefined {
  const { code, data, cause } = Object(error) as { code?: number; data?: { originalError?: unknown }; cause?: unknown };
  const inner = data?.originalError ?? cause;
  return inner ? (codeOf(inner) ?? code) : code;
}

/**
 * Returns the page's message for an error. Codes are those of EIP-1193 (4001: the user refused) and of EIP-1474's providers (−32002:
 * already requested); without a code, phrases that wallets share decide.
 * @see https://eips.ethereum.org/EIPS/eip-1193
 */
export function statusOf(error: unknown): WalletStatus {
  if (error instanceof Refusal) return error.status;
  const code = codeOf(error);
  const text = String((error as Error | null)?.message ?? error);
  if (
    code === 4001 ||
    /user (rejected|denied|declined|cancel)|(declined|rejected|cancell?ed) by (the )?user/i.test(text)
  )
    return "rejected";
  if (code === -32002) return "busy";
  if (code === 4902) return "network";
  if (/insufficient|not enough|exceeds (the )?balance|no record of a prior credit|balance is not/i.test(text))
    return "funds";
  return "failed";
}
