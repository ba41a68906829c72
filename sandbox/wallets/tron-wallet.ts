import { randomInt } from "node:crypto";
import { TronWeb } from "tronweb";
import * as z from "zod";
import { toBase58Address } from "@/sandbox/tron/network";
import { PAYERS_COUNT, payerAccount } from "@/sandbox/wallets/payers";
import type { MinedTransfer, Wallet } from "@/sandbox/wallets/wallet";

/** The lowest sufficient fee limits. A block has 30 million units of energy, and each transaction reserves its limit. */
const FEE_SUN = { call: 30_000_000, perRecipient: 6_000_000 };
const MINED_MS = 60_000;
const POLL_MS = 100;

const Info = z.object({
  blockNumber: z.number().optional(),
  receipt: z.object({ result: z.string().optional() }).optional(),
});

interface Parameter {
  type: string;
  value: unknown;
}

/** Opens a random funded payer account on the local TRON chain. `rpcUrl` is the node's base URL; addresses are base58check. */
export function openTronWallet(rpcUrl: string): Wallet<string> {
  const account = payerAccount(randomInt(PAYERS_COUNT));
  const privateKey = Buffer.from(account.getHdKey().privateKey ?? []).toString("hex");
  const tronWeb = new TronWeb({ fullHost: rpcUrl, privateKey });
  const address = toBase58Address(account.address);

  const send = async (contract: string, name: string, parameters: Parameter[], feeLimit = FEE_SUN.call) => {
    const options = { feeLimit };
    const built = await tronWeb.transactionBuilder.triggerSmartContract(contract, name, options, parameters, address);
    const sent = await tronWeb.trx.sendRawTransaction(await tronWeb.trx.sign(built.transaction));
    if (!sent.result)
      throw new Error(`The TRON node rejected the payment: ${sent.code} ${tronWeb.toUtf8(sent.message)}`);
    return sent.txid;
  };

  return {
    address,
    async transfer({ contract, to, baseUnits }) {
      return send(contract, "transfer(address,uint256)", [
        { type: "address", value: to },
        { type: "uint256", value: baseUnits.toString() },
      ]);
    },
    async transferBatch(contract, transfers) {
      const feeLimit = FEE_SUN.call + FEE_SUN.perRecipient * transfers.length;
      const parameters = [
        { type: "address[]", value: transfers.map(({ to }) => to) },
        { type: "uint256[]", value: transfers.map(({ baseUnits }) => baseUnits.toString()) },
      ];
      return send(contract, "batch(address[],uint256[])", parameters, feeLimit);
    },
    mined: (txId) => mined(tronWeb, txId),
  };
}

async function mined(tronWeb: TronWeb, txId: string): Promise<MinedTransfer<string> | null> {
  const deadline = performance.now() + MINED_MS;
  while (performance.now() < deadline) {
    const { blockNumber, receipt } = Info.parse(await tronWeb.trx.getUnconfirmedTransactionInfo(txId));
    if (blockNumber !== undefined) return { txId, blockHeight: blockNumber, isSuccess: receipt?.result === "SUCCESS" };
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return null;
}
