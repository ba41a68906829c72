import { randomInt } from "node:crypto";
import {
  type Address,
  BaseError,
  createPublicClient,
  createWalletClient,
  type Hash,
  http,
  WaitForTransactionReceiptTimeoutError,
} from "viem";
import { TEST_TOKEN_ABI } from "@/sandbox/token/install";
import { PAYERS_COUNT, payerAccount } from "@/sandbox/wallets/payers";

export interface TokenTransfer {
  contract: string;
  to: string;
  /** The amount in base units of the token. */
  baseUnits: bigint;
}

export interface MinedTransfer<Text extends string = Hash> {
  txId: Text;
  blockHeight: number;
  isSuccess: boolean;
}

/** A payer on one local chain whose test funds never run out. */
export interface Wallet<Text extends string = Hash> {
  address: Text;
  /** Sends a token transfer. @returns its transaction, which is not in a block yet. */
  transfer(transfer: TokenTransfer): Promise<Text>;
  /** Sends several transfers of one token in one transaction. */
  transferBatch(contract: string, transfers: readonly Omit<TokenTransfer, "contract">[]): Promise<Text>;
  /** Waits until a transaction is in a block. @returns null if it is not in a block after a minute. */
  mined(txId: Text): Promise<MinedTransfer<Text> | null>;
}

/** The gas limits, which are fixed so that no estimate is needed. */
const GAS = { transfer: 120_000n, perRecipient: 60_000n };
/**
 * The fees in wei, above any base fee of a local chain. Fees requested from the node would differ between blocks. Of two transactions with
 * the same nonce, the node keeps the one with the higher fee, so a sent payment might never be mined.
 */
const FEES = { maxFeePerGas: 100_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n } as const;
const MINED_MS = 60_000;
const POLL_MS = 100;
const SEND_TRIES = 20;

/** Opens a random funded payer account on a local chain. Any number of programs can pay at the same time. */
export async function openWallet(rpcUrl: string): Promise<Wallet<Hash>> {
  const account = payerAccount(randomInt(PAYERS_COUNT));
  const transport = http(rpcUrl);
  const reader = createPublicClient({ transport, pollingInterval: POLL_MS });
  const writer = createWalletClient({ account, transport });
  const call = (contract: string, gas: bigint) =>
    ({ address: contract as Address, abi: TEST_TOKEN_ABI, gas, ...FEES, chain: null }) as const;

  return {
    address: account.address,
    transfer: ({ contract, to, baseUnits }) =>
      sendInTurn(() => {
        const args = [to as Address, baseUnits] as const;
        return writer.writeContract({ ...call(contract, GAS.transfer), functionName: "transfer", args });
      }),
    transferBatch: (contract, transfers) =>
      sendInTurn(() => {
        const gas = GAS.transfer + GAS.perRecipient * BigInt(transfers.length);
        const args = [transfers.map(({ to }) => to as Address), transfers.map(({ baseUnits }) => baseUnits)] as const;
        return writer.writeContract({ ...call(contract, gas), functionName: "batch", args });
      }),
    async mined(txId) {
      try {
        const receipt = await reader.waitForTransactionReceipt({ hash: txId, timeout: MINED_MS });
        return { txId, blockHeight: Number(receipt.blockNumber), isSuccess: receipt.status === "success" };
      } catch (error) {
        if (error instanceof WaitForTransactionReceiptTimeoutError) return null;
        throw error;
      }
    },
  };
}

/** Sends a transaction. If a different program has just used the account's next nonce, requests the nonce again. */
async function sendInTurn(send: () => Promise<Hash>): Promise<Hash> {
  for (let tries = 1; ; tries++) {
    try {
      return await send();
    } catch (error) {
      const isNonceUsed =
        error instanceof BaseError && /nonce too low|underpriced|already imported/i.test(error.details);
      if (!isNonceUsed || tries === SEND_TRIES) throw error;
      await new Promise((resolve) => setTimeout(resolve, randomInt(50)));
    }
  }
}
