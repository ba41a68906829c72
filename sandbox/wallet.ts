import { type Address, createPublicClient, createWalletClient, type Hash, type Hex, http, isAddress } from "viem";
import { z } from "zod";
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
  /** Waits for a transaction to be in a block. @throws Error after `timeoutMs`. */
  mined(txId: Hash, timeoutMs?: number): Promise<MinedTransfer>;
}

const RESERVE = 10n ** 36n;
/** Fixed, so that a transfer need not wait for the mint before it to be mined. */
const GAS = { mint: 120_000n, transfer: 120_000n, perRecipient: 60_000n };
const MINED_MS = 60_000;
const POLL_MS = 100;

/** Opens the payer's account on a local chain: one that the node itself signs for, so many programs can pay at once. */
export async function openWallet(rpcUrl: string): Promise<Wallet> {
  const account = z
    .array(z.string().refine((text) => isAddress(text)))
    .min(1)
    .parse(await jsonRpc(rpcUrl, "eth_accounts", []))[0] as Address;
  const transport = http(rpcUrl);
  const reader = createPublicClient({ transport, pollingInterval: POLL_MS });
  const writer = createWalletClient({ account, transport });
  const call = (address: string, gas: bigint) => ({
    address: address as Address,
    abi: TEST_TOKEN_ABI,
    gas,
    chain: null,
  });

  const fill = async (contract: string, wanted: bigint) => {
    const args = [account] as const;
    const held = await reader.readContract({ ...call(contract, GAS.mint), functionName: "balanceOf", args });
    if (held >= wanted + RESERVE / 2n) return;
    await writer.writeContract({
      ...call(contract, GAS.mint),
      functionName: "mint",
      args: [account, wanted + RESERVE],
    });
  };

  return {
    address: account,
    async transfer({ contract, to, baseUnits }) {
      await fill(contract, baseUnits);
      const args = [to as Address, baseUnits] as const;
      return writer.writeContract({ ...call(contract, GAS.transfer), functionName: "transfer", args });
    },
    async transferBatch(contract, transfers) {
      await fill(
        contract,
        transfers.reduce((sum, { baseUnits }) => sum + baseUnits, 0n),
      );
      const gas = GAS.transfer + GAS.perRecipient * BigInt(transfers.length);
      const args = [transfers.map(({ to }) => to as Address), transfers.map(({ baseUnits }) => baseUnits)] as const;
      return writer.writeContract({ ...call(contract, gas), functionName: "batch", args });
    },
    async mined(txId: Hex, timeoutMs = MINED_MS) {
      const receipt = await reader.waitForTransactionReceipt({ hash: txId, timeout: timeoutMs, retryCount: 0 });
      return { txId, blockHeight: Number(receipt.blockNumber), isSuccess: receipt.status === "success" };
    },
  };
}
