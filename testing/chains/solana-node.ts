import { Connection, type Finality, PublicKey, type TransactionInstruction } from "@solana/web3.js";
import { afterEach } from "vitest";
import { type SolanaNode, startSolanaNode } from "@/sandbox/nodes/solana-node";
import { PAYER, SOLANA_TOKENS } from "@/sandbox/solana/accounts/mints";
import type { TransactionVersion } from "@/sandbox/solana/transactions/message";
import { signTransaction } from "@/sandbox/solana/transactions/sign-transaction";
import { openSolanaWallet } from "@/sandbox/wallets/solana-wallet";
import type { Wallet } from "@/sandbox/wallets/wallet";

export const [USDC, USDT] = SOLANA_TOKENS;
export const MINT = new PublicKey(USDC.contract);
export const LAG = { confirmed: 0, finalized: 8 };
const open: SolanaNode[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((node) => node.stop()));
});

export async function start(options: Partial<Parameters<typeof startSolanaNode>[0]> = {}) {
  const node = await startSolanaNode({ slotMs: null, lag: LAG, ...options });
  open.push(node);
  const connection = new Connection(node.url, "confirmed");
  return { node, connection, advance: (slots = 1) => node.call("solana_advance", [slots]) };
}

export type World = Awaited<ReturnType<typeof start>>;
export const find = (connection: Connection, signature: string, commitment: Finality = "confirmed") =>
  connection.getTransaction(signature, { commitment, maxSupportedTransactionVersion: 1 });
export const version = { commitment: "confirmed", maxSupportedTransactionVersion: 0 } as const;

/** Sends instructions as the payer; `landed` waits for the block. */
export async function send(
  { connection, advance }: World,
  instructions: TransactionInstruction[],
  { skipPreflight = false, version = 0 }: { skipPreflight?: boolean; version?: TransactionVersion } = {},
) {
  const { blockhash } = await connection.getLatestBlockhash("finalized");
  const signed = await signTransaction(version, { instructions, blockhash, signers: [PAYER] });
  const signature = await connection.sendRawTransaction(signed, { skipPreflight });
  await advance();
  return signature;
}

export async function landed(wallet: Wallet<string>, txId: string) {
  const mined = await wallet.mined(txId);
  if (!mined) throw new Error(`${txId} is in no block`);
  return mined;
}

export async function pay(world: World, owner: PublicKey, baseUnits: bigint, version: TransactionVersion = "legacy") {
  const wallet = openSolanaWallet(world.node.url, () => version);
  const signature = await wallet.transfer({ contract: USDC.contract, to: owner.toBase58(), baseUnits });
  await world.advance();
  return { signature, ...(await landed(wallet, signature)) };
}

/** Returns the response of getTransaction or getBlock to a caller that supports versions up to `maxSupportedTransactionVersion`. */
export async function answerTo(node: SolanaNode, method: string, what: unknown, config: object): Promise<unknown> {
  const params = [what, { commitment: "confirmed", ...config }];
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  const answer = await fetch(node.url, { method: "POST", body, headers: { "content-type": "application/json" } });
  const { result, error } = (await answer.json()) as { result?: unknown; error?: { code: number; message: string } };
  return error ?? result;
}

export const NOT_READ = {
  code: -32015,
  message:
    'Transaction version (1) is not supported by the requesting client. Please try the request again with the following configuration parameter: "maxSupportedTransactionVersion": 1',
};

export const slotsOf = async ({ connection }: World) =>
  Promise.all((["processed", "confirmed", "finalized"] as const).map((level) => connection.getSlot(level)));
