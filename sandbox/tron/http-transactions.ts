import { utils } from "tronweb";
import * as z from "zod";
import type { EvmChain } from "@/sandbox/tron/evm-chain";
import type { HttpMethod } from "@/sandbox/tron/http-blocks";
import { showTransaction } from "@/sandbox/tron/http-shapes";
import { blockId, hexText, toEvmAddress, toTronHex } from "@/sandbox/tron/network";
import { broadcast, Refusal } from "@/sandbox/tron/send";
import type { TransactionBook } from "@/sandbox/tron/transaction-book";

const LIFE_MS = 60_000;
const BASE_GAS = 21_000;

const Trigger = z.object({
  owner_address: z.string(),
  contract_address: z.string(),
  function_selector: z.string().optional(),
  parameter: z.string().default(""),
  data: z.string().optional(),
  call_value: z.coerce.number().int().min(0).default(0),
  fee_limit: z.coerce.number().int().min(0).default(0),
  Permission_id: z.number().optional(),
});
type Trigger = z.infer<typeof Trigger>;
const Transfer = z.object({
  owner_address: z.string(),
  to_address: z.string(),
  amount: z.coerce.number().int().min(1),
});
type Transfer = z.infer<typeof Transfer>;

type Build = (type: string, value: object, extra: object) => ReturnType<typeof buildTransaction>;

/**
 * Returns the methods that build, send and find transactions, and that simulate contract calls. `nowMs` must increase from call to call.
 */
export function transactionMethods(
  chain: EvmChain,
  book: TransactionBook,
  nowMs: () => number,
): [string, HttpMethod][] {
  const build: Build = (type, value, extra) => buildTransaction(chain, { type, value, extra }, nowMs());
  return [
    ["createtransaction", async (fields) => transfer(build, Transfer.parse(fields))],
    ["triggersmartcontract", async (fields) => trigger(chain, build, Trigger.parse(fields))],
    ["triggerconstantcontract", async (fields) => tryCall(chain, Trigger.parse(fields))],
    ["estimateenergy", async (fields) => estimate(chain, Trigger.parse(fields))],
    ["broadcasttransaction", (fields) => send(chain, book, fields)],
    ["gettransactionbyid", async ({ value }, isSolid) => find(chain, book, z.string().parse(value), isSolid)],
  ];
}

function transfer(build: Build, { owner_address, to_address, amount }: Transfer) {
  const value = { amount, owner_address: tronHex(owner_address), to_address: tronHex(to_address) };
  return build("TransferContract", value, {});
}

async function trigger(chain: EvmChain, build: Build, call: Trigger) {
  const code = await chain.node.call("eth_getCode", [toEvmAddress(call.contract_address), "latest"]);
  if (code === "0x") return refused("CONTRACT_VALIDATE_ERROR", "No contract or not a valid smart contract");
  const value = {
    data: dataOf(call),
    owner_address: tronHex(call.owner_address),
    contract_address: tronHex(call.contract_address),
    ...(call.call_value > 0 ? { call_value: call.call_value } : {}),
  };
  const extra = call.fee_limit > 0 ? { fee_limit: call.fee_limit } : {};
  return { result: { result: true }, transaction: await build("TriggerSmartContract", value, extra) };
}

async function send(chain: EvmChain, book: TransactionBook, fields: Readonly<Record<string, unknown>>) {
  try {
    return { result: true, txid: await broadcast(chain, book, fields) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { code: error.code, txid: String(fields["txID"] ?? ""), message: hexText(error.message) };
  }
}

async function find(chain: EvmChain, book: TransactionBook, txId: string, isSolid: boolean) {
  const hash = book.evmHash(txId);
  const transaction = await chain.transaction(hash);
  const receipt = transaction && (await chain.receipt(hash));
  const block = receipt && (await chain.block(receipt.blockNumber));
  if (!transaction || !block || (isSolid && block.number > (await chain.solid()))) return {};
  return showTransaction(book, transaction, { block, receipt });
}

async function buildTransaction(
  chain: EvmChain,
  { type, value, extra }: { type: string; value: object; extra: object },
  timestamp: number,
) {
  const block = await chain.block(await chain.head());
  if (!block) throw new Error("The chain has no head");
  const raw_data = {
    contract: [{ parameter: { value, type_url: `type.googleapis.com/protocol.${type}` }, type }],
    ref_block_bytes: (block.number & 0xffff).toString(16).padStart(4, "0"),
    ref_block_hash: blockId(block.number, block.hash).slice(16, 32),
    expiration: Math.max(timestamp, block.timestamp * 1_000) + LIFE_MS,
    ...extra,
    timestamp,
  };
  const message = utils.transaction.txJsonToPb({ raw_data });
  return {
    visible: false,
    txID: utils.transaction.txPbToTxID(message).replace(/^0x/, ""),
    raw_data,
    raw_data_hex: utils.transaction.txPbToRawDataHex(message).toLowerCase(),
  };
}

async function tryCall(chain: EvmChain, call: Trigger) {
  try {
    const result = String(await chain.node.call("eth_call", [evmCall(call), "latest"]));
    const energy_used = await energyOf(chain, call);
    const transaction = { ret: [{}], visible: false, txID: "", raw_data: {}, raw_data_hex: "" };
    return { result: { result: true }, energy_used, constant_result: [result.slice(2)], transaction };
  } catch (error) {
    const message = hexText(error instanceof Error ? error.message : "REVERT opcode executed");
    return {
      result: { result: true, message },
      energy_used: 0,
      constant_result: [""],
      transaction: { ret: [{ ret: "FAILED" }] },
    };
  }
}

async function estimate(chain: EvmChain, call: Trigger) {
  try {
    return { result: { result: true }, energy_required: await energyOf(chain, call) };
  } catch {
    return refused("CONTRACT_EXE_ERROR", "REVERT opcode executed");
  }
}

/** Returns the energy of the call itself; the EVM node also counts the base gas of the transaction. */
async function energyOf(chain: EvmChain, call: Trigger): Promise<number> {
  return Math.max(0, Number(await chain.node.call("eth_estimateGas", [evmCall(call)])) - BASE_GAS);
}

function evmCall(call: Trigger) {
  return { from: toEvmAddress(call.owner_address), to: toEvmAddress(call.contract_address), data: `0x${dataOf(call)}` };
}

function dataOf({ function_selector, parameter, data }: Trigger): string {
  if (!function_selector) return (data ?? "").replace(/^0x/, "");
  return utils.ethersUtils.id(function_selector).slice(2, 10) + parameter;
}

function tronHex(address: string): string {
  return toTronHex(toEvmAddress(address));
}

function refused(code: string, text: string) {
  return { result: { code, message: hexText(text) } };
}
