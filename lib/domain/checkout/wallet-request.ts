import { displayAddress } from "@/lib/domain/addresses/address";
import { isSolanaAddress } from "@/lib/domain/addresses/families";
import { type CheckoutFacts, sumsOf } from "@/lib/domain/checkout/facts";
import type { PaymentRequest } from "@/lib/domain/checkout/payment-uri";
import { solanaPayment } from "@/lib/domain/checkout/solana-payment";
import { askedToken } from "@/lib/domain/checkout/view";
import { type Family, getNetwork, type Network } from "@/lib/domain/networks";

/** The request to a payer's wallet, as the wallet scripts read it. */
export interface WalletRequest {
  family: Family;
  /** The chain id in hexadecimal digits with 0x; on Solana, the name of the cluster as wallets list it. */
  chain: string;
  token: string;
  recipient: string;
  /** Base units of the token, in decimal digits. */
  units: string;
  /** A block that the wallet's node must have: the end of its hash (hexadecimal digits). Null if the chain id is sufficient. */
  block: { height: number; hash: string } | null;
  /** The chain parameters for a wallet that does not have the chain (EIP-3085). */
  add: AddedChain | null;
  /** Solana: the unsigned transaction, base64; null until the payer's account is known. */
  transaction: string | null;
  /** The reason why there is no transaction for the payer's account; null if there is one, or none is needed. */
  problem: "account" | "stale" | null;
}

/**
 * The parameter of wallet_addEthereumChain.
 * @see https://eips.ethereum.org/EIPS/eip-3085
 */
export interface AddedChain {
  chainId: string;
  chainName: string;
  nativeCurrency: { name: string; symbol: string; decimals: number };
  rpcUrls: string[];
  blockExplorerUrls: string[];
}

/** The newest stored block of the order's network, and the time when it was the head. */
export interface ReadHead {
  height: number;
  hash: string;
  caughtUpAt: Date;
  blockMs: number;
}

export interface WalletContext {
  /** True in the sandbox, whose local chains have the ids of real ones. A wallet must therefore return a block of the local chain. */
  isSandbox: boolean;
  head: ReadHead | null;
  /** The payer's account, as the wallet reports it; null before it is known. */
  account: string | null;
  now: Date;
}

/** A payment for a wallet to make: `address` is the recipient in canonical form, `units` are base units of the token. */
export type WalletPayment = Pick<PaymentRequest, "network" | "token" | "address" | "units">;

/** Returns the request to a payer's wallet. The caller must ensure that a payment is still requested. */
export function walletRequest(facts: CheckoutFacts, ctx: WalletContext): WalletRequest {
  const { quote } = facts;
  const network = getNetwork(quote.network);
  const payment = { network, token: askedToken(quote), address: quote.address, units: sumsOf(facts).remaining };
  return requestPayment(payment, ctx);
}

/** Returns the request to a wallet for any payment: of a payer, or of a merchant who pays a refund. */
export function requestPayment({ network, token, address, units }: WalletPayment, ctx: WalletContext): WalletRequest {
  const recipient = displayAddress(network.family, address);
  const asked = { family: network.family, token: token.contract, recipient, units: units.toString() };
  const none = { block: null, add: null, transaction: null, problem: null };
  const { isSandbox } = ctx;
  switch (network.family) {
    case "evm":
      return { ...asked, ...none, ...walletChain(network, ctx) };
    case "tron":
      return { ...asked, ...none, chain: chainHex(network), block: isSandbox ? localBlock(ctx) : genesis(network) };
    case "solana": {
      const payment = { recipient, mint: token.contract, units, decimals: token.decimals };
      return { ...asked, ...none, chain: isSandbox ? LOCAL_CLUSTER : CLUSTER, ...transactionOf(payment, network, ctx) };
    }
  }
}

/** The chain that an EVM wallet must use, with the parameters to add it. */
export type WalletChain = Pick<WalletRequest, "chain" | "block" | "add">;

/** Returns the chain that an EVM wallet must use for payments on a network. */
export function walletChain(network: Network, ctx: Pick<WalletContext, "isSandbox" | "head">): WalletChain {
  return { chain: chainHex(network), block: localBlock(ctx), add: ctx.isSandbox ? null : added(network) };
}

/**
 * The names of Solana's clusters.
 * @see https://github.com/wallet-standard/wallet-standard (packages/core/base) and solana-wallet-standard-chains
 */
const CLUSTER = "solana:mainnet";
const LOCAL_CLUSTER = "solana:localnet";

const chainHex = ({ chainId }: Network) => `0x${BigInt(chainId).toString(16)}`;

/** Returns the block that identifies the local chain. If that block is unknown in the sandbox, returns one that no wallet can have. */
function localBlock({ isSandbox, head }: Pick<WalletContext, "isSandbox" | "head">): WalletRequest["block"] {
  if (!isSandbox) return null;
  return head ? { height: head.height, hash: head.hash.replace(/^0x/, "") } : { height: 0, hash: "unknown" };
}

/**
 * Returns the genesis block. TRON's chain id is the end of this block's id. Wallets that do not support `eth_chainId` (TIP-3326) can still
 * return the block.
 */
function genesis({ chainId }: Network): WalletRequest["block"] {
  return { height: 0, hash: BigInt(chainId).toString(16).padStart(8, "0") };
}

function added(network: Network): AddedChain | null {
  const { walletFacts, name: chainName, explorer } = network;
  if (!walletFacts) return null;
  const { coin, rpcUrl } = walletFacts;
  return {
    chainId: chainHex(network),
    chainName,
    rpcUrls: [rpcUrl],
    nativeCurrency: { name: coin, symbol: coin, decimals: 18 },
    blockExplorerUrls: [new URL(explorer.tx.replace("{}", "")).origin],
  };
}

/** The maximum age of a blockhash in blocks: the payer has half of the 150 blocks for which it is valid. */
const OLDEST_BLOCKS = 75;
const OLDEST_MS = 10_000;

type Payment = Omit<Parameters<typeof solanaPayment>[0], "payer" | "blockhash">;

function transactionOf(payment: Payment, { blockMs }: Network, { account, head, now }: WalletContext) {
  if (account === null) return { transaction: null, problem: null };
  if (!isSolanaAddress(account) || account === payment.recipient)
    return { transaction: null, problem: "account" as const };
  const oldestMs = Math.max(OLDEST_MS, OLDEST_BLOCKS * (head?.blockMs ?? blockMs));
  if (!head || now.getTime() - head.caughtUpAt.getTime() > oldestMs)
    return { transaction: null, problem: "stale" as const };
  const bytes = solanaPayment({ ...payment, payer: account, blockhash: head.hash });
  return { transaction: Buffer.from(bytes).toString("base64"), problem: null };
}

/** The possible results of a wallet request, with their messages on the page. */
export type WalletStatus =
  | "choose"
  | "connect"
  | "confirm"
  | "sent"
  | "rejected"
  | "busy"
  | "network"
  | "account"
  | "funds"
  | "changed"
  | "again"
  | "away"
  | "unready"
  | "failed";

/** The response of the payment page's wallet endpoint. */
export interface WalletData {
  trade_id: string;
  version: number;
  /** The name of the requested payment. A different name means a different payment. */
  offer: string;
  /** The request to the wallet; null if the payer must not send a payment. */
  request: WalletRequest | null;
  /** The messages in the payer's language. */
  words: Record<WalletStatus, string>;
}
