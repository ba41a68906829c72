import { TronWeb } from "tronweb";
import { z } from "zod";
import { jsonRpc } from "@/sandbox/json-rpc";
import type { Wallet } from "@/sandbox/wallet";

/** The payer's, known to everybody: it only means something on a local chain. */
const PRIVATE_KEY = "5ca1ab1e".repeat(8);
const RESERVE = 10n ** 36n;
const RICH_SUN = 1_000_000_000_000;
/** Not more than needed: a block has room for 30 million units of energy, and each transaction takes what it may use. */
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

/** Opens the payer's account on the local TRON chain. `rpcUrl` is the node's base URL; addresses are base58check. */
export async function openTronWallet(rpcUrl: string): Promise<Wallet> {
  const tronWeb = new TronWeb({ fullHost: rpcUrl, privateKey: PRIVATE_KEY });
  const address = TronWeb.address.fromPrivateKey(PRIVATE_KEY);
  if (!address) throw new Error("The payer's key is no key");

  const send = async (contract: string, name: string, parameters: Parameter[], feeLimit = FEE_SUN.call) => {
    const options = { feeLimit };
    const built = await tronWeb.transactionBuilder.triggerSmartContract(contract, name, options, parameters, address);
    const sent = await tronWeb.trx.sendRawTransaction(await tronWeb.trx.sign(built.transaction));
    if (!sent.result)
      throw new Error(`The TRON node refused the payment: ${sent.code} ${tronWeb.toUtf8(sent.message)}`);
    return sent.txid;
  };

  const fill = async (contract: string, wanted: bigint) => {
    if ((await tronWeb.trx.getBalance(address)) < RICH_SUN / 2)
      await jsonRpc(`${rpcUrl}/control`, "tron_setBalance", [address, RICH_SUN]);
    if ((await heldBy(tronWeb, contract, address)) >= wanted + RESERVE / 2n) return;
    await send(contract, "mint(address,uint256)", [
      { type: "address", value: address },
      { type: "uint256", value: (wanted + RESERVE).toString() },
    ]);
  };

  return {
    address,
    async transfer({ contract, to, baseUnits }) {
      await fill(contract, baseUnits);
      return send(contract, "transfer(address,uint256)", [
        { type: "address", value: to },
        { type: "uint256", value: baseUnits.toString() },
      ]);
    },
    async transferBatch(contract, transfers) {
      const total = transfers.reduce((sum, { baseUnits }) => sum + baseUnits, 0n);
      await fill(contract, total);
      const feeLimit = FEE_SUN.call + FEE_SUN.perRecipient * transfers.length;
      const parameters = [
        { type: "address[]", value: transfers.map(({ to }) => to) },
        { type: "uint256[]", value: transfers.map(({ baseUnits }) => baseUnits.toString()) },
      ];
      return send(contract, "batch(address[],uint256[])", parameters, feeLimit);
    },
    mined: (txId, timeoutMs = MINED_MS) => mined(tronWeb, txId, timeoutMs),
  };
}

async function heldBy(tronWeb: TronWeb, contract: string, owner: string): Promise<bigint> {
  const parameters = [{ type: "address", value: owner }];
  const answer = await tronWeb.transactionBuilder.triggerConstantContract(
    contract,
    "balanceOf(address)",
    {},
    parameters,
    owner,
  );
  return BigInt(`0x${answer.constant_result?.[0] || "0"}`);
}

async function mined(tronWeb: TronWeb, txId: string, timeoutMs: number) {
  const giveUpAt = performance.now() + timeoutMs;
  while (performance.now() < giveUpAt) {
    const { blockNumber, receipt } = Info.parse(await tronWeb.trx.getUnconfirmedTransactionInfo(txId));
    if (blockNumber !== undefined) return { txId, blockHeight: blockNumber, isSuccess: receipt?.result === "SUCCESS" };
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw new Error(`Transaction ${txId} was in no block after ${timeoutMs / 1_000} s`);
}
