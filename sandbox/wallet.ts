import {
  type Address,
  createPublicClient,
  createWalletClient,
  type Hash,
  http,
  nonceManager,
  toHex,
  WaitForTransactionReceiptTimeoutError,
} from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { jsonRpc } from "@/sandbox/json-rpc";
import { TEST_TOKEN_ABI } from "@/sandbox/token/install";

export interface TokenTransfer {
  contract: string;
  to: string;
  /** Of the token. */
  baseUnits: bigint;
}

export interface MinedTransfer {
  txId: Hash;
  blockHeight: number;
  isSuccess: boolean;
}

/** A payer on one local chain who never runs out of play money. */
export interface Wallet {
  address: Address;
  /** Sends a token transfer. @returns its transaction, which is not in a block yet. */
  transfer(transfer: TokenTransfer): Promise<Hash>;
  /** Sends several transfers of one token in one transaction. */
  transferBatch(contract: string, transfers: readonly Omit<TokenTransfer, "contract">[]): Promise<Hash>;
  /** Waits for a transaction to be in a block. @returns null when it is in none after a minute. */
  mined(txId: Hash): Promise<MinedTransfer | null>;
}

const ETHER = 10n ** 18n;
const PLENTY = 10n ** 40n;
/** Fixed, so that a transfer need not wait for the mint before it to be mined. */
const GAS = { mint: 120_000n, transfer: 120_000n, perRecipient: 60_000n };
const MINED_MS = 60_000;
const POLL_MS = 100;

/** Opens a new payer's account on a local chain: nobody else uses it, so any number of programs can pay at once. */
export async function openWallet(rpcUrl: string): Promise<Wallet> {
  const account = privateKeyToAccount(generatePrivateKey(), { nonceManager });
  await jsonRpc(rpcUrl, "anvil_setBalance", [account.address, toHex(1_000n * ETHER)]);
  const transport = http(rpcUrl);
  const reader = createPublicClient({ transport, pollingInterval: POLL_MS });
  const writer = createWalletClient({ account, transport });
  const call = (contract: string, gas: bigint) =>
    ({ address: contract as Address, abi: TEST_TOKEN_ABI, gas, chain: null }) as const;

  const mints = new Map<string, Promise<Hash>>();
  const fill = (contract: string) => {
    const args = [account.address, PLENTY] as const;
    const mint =
      mints.get(contract) ?? writer.writeContract({ ...call(contract, GAS.mint), functionName: "mint", args });
    mints.set(contract, mint);
    return mint;
  };

  return {
    address: account.address,
    async transfer({ contract, to, baseUnits }) {
      await fill(contract);
      const args = [to as Address, baseUnits] as const;
      return writer.writeContract({ ...call(contract, GAS.transfer), functionName: "transfer", args });
    },
    async transferBatch(contract, transfers) {
      await fill(contract);
      const gas = GAS.transfer + GAS.perRecipient * BigInt(transfers.length);
      const args = [transfers.map(({ to }) => to as Address), transfers.map(({ baseUnits }) => baseUnits)] as const;
      return writer.writeContract({ ...call(contract, gas), functionName: "batch", args });
    },
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
