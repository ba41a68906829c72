import type { WalletRequest, WalletStatus } from "@/lib/domain/checkout/wallet-request";

/** The requests to a wallet of one network family. Each may reject with any error of the wallet, or with a Refusal. */
export interface Way {
  /** Requests the payer's account. */
  connect(request: WalletRequest): Promise<string>;
  /** Switches the wallet to the order's chain, and detects early whether it cannot make the payment. */
  enter(request: WalletRequest, account: string): Promise<void>;
  /** Returns true if the wallet is on the order's chain now. */
  isThere(request: WalletRequest): Promise<boolean>;
  /**
   * Requests the signature. The wallet then sends the transaction. Returns the wallet's own response: on EVM networks and TRON, the
   * transaction id; on Solana, a list of outputs with the signature as bytes.
   */
  send(request: WalletRequest, account: string): Promise<unknown>;
}

/** A wallet that announced itself; its name and icon are unverified. */
export interface FoundWallet {
  name: string;
  icon: string;
  way: Way;
}

/** A failure for which the page has a message. */
export class Refusal {
  readonly status: WalletStatus;

  constructor(status: WalletStatus) {
    this.status = status;
  }
}

/** A provider as defined by EIP-1193 and TIP-1193. */
export interface Provider {
  request(args: { method: string; params?: unknown }): Promise<unknown>;
}

const TRANSFER = "a9059cbb";
const BALANCE_OF = "70a08231";
const WORD = 64;

const status = (hex: string) => hex.replace(/^0x/, "").toLowerCase().padStart(WORD, "0");

/**
 * Returns the calldata of `transfer(address,uint256)`: the first four bytes of the Keccak-256 hash of the signature, then both arguments
 * as 32 bytes each.
 * @see https://eips.ethereum.org/EIPS/eip-20
 * @see https://docs.soliditylang.org/en/latest/abi-spec.html
 */
export function transferData(recipient: string, units: string): string {
  return `0x${TRANSFER}${status(recipient)}${status(BigInt(units).toString(16))}`;
}

/** Returns the calldata of `balanceOf(address)`. */
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
 * Returns the page's message for an error. The codes are defined by EIP-1193 (4001: rejected by the user) and by providers of EIP-1474
 * (−32002: already requested). Without such a code, phrases that wallets have in common determine the message.
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
