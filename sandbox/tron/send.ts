import { utils } from "tronweb";
import { recoverAddress } from "viem";
import { type EvmChain, toQuantity } from "@/sandbox/tron/evm-chain";
import { blockId, SUN_PER_ENERGY, toEvmAddress, WEI_PER_SUN } from "@/sandbox/tron/network";
import { type RawData, SignedTransaction, type TransactionBook } from "@/sandbox/tron/transaction-book";

/** The error of a transaction that a node rejects, with java-tron's codes. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

const MAX_ENERGY = 20_000_000n;
const DEFAULT_FEE_LIMIT = 0;
const BASE_GAS = 21_000n;
const GAS_PER_BYTE = 40n;
const HEIGHTS_NAMED = 0x1_0000;

/** An EVM call that is equivalent to a TRON transaction. */
interface EvmCall {
  from: string;
  to: string;
  data: string;
  /** The value in wei. */
  value: bigint;
  gas: bigint;
}

/** Validates a signed transaction as a node does and sends it to the chain. @returns its id. @throws Refusal. */
export async function broadcast(chain: EvmChain, book: TransactionBook, given: unknown): Promise<string> {
  const parsed = SignedTransaction.safeParse(given);
  if (!parsed.success) throw new Refusal("OTHER_ERROR", "the transaction is not complete");
  const transaction = parsed.data;
  if (!isFaithful(given)) throw new Refusal("SIGERROR", "raw_data, raw_data_hex and txID do not match");
  if (await isThere(chain, book, transaction.txID)) throw new Refusal("DUP_TRANSACTION_ERROR", "Dup transaction.");
  await checkReference(chain, transaction.raw_data);
  const call = await toEvmCall(chain, transaction.raw_data);
  await checkSignature(transaction, call.from);
  book.write(await execute(chain, call), transaction);
  return transaction.txID;
}

/** Returns true if the chain contains the transaction. A transaction that a reorg removed can be sent again. */
async function isThere(chain: EvmChain, book: TransactionBook, txId: string): Promise<boolean> {
  return book.isKnown(txId) && (await chain.transaction(book.evmHash(txId))) !== null;
}

/** Returns true if the readable form, the signed bytes and the id agree. */
function isFaithful(given: unknown): boolean {
  try {
    return utils.transaction.txCheck(given);
  } catch {
    return false;
  }
}

/** Checks that a transaction references a recent block of this chain and has not expired. */
async function checkReference(chain: EvmChain, raw: RawData): Promise<void> {
  const head = await chain.block(await chain.head());
  if (!head) throw new Refusal("SERVER_BUSY", "the chain has no head");
  if (raw.expiration <= head.timestamp * 1_000)
    throw new Refusal("TRANSACTION_EXPIRATION_ERROR", "Transaction expired");
  const named = Number.parseInt(raw.ref_block_bytes, 16);
  const height = head.number - ((((head.number - named) % HEIGHTS_NAMED) + HEIGHTS_NAMED) % HEIGHTS_NAMED);
  const block = height >= 0 ? await chain.block(height) : null;
  if (!block || blockId(block.number, block.hash).slice(16, 32) !== raw.ref_block_hash)
    throw new Refusal("TAPOS_ERROR", "Tapos failed, the block it refers to is not on this chain");
}

async function checkSignature({ txID, signature }: SignedTransaction, sender: string): Promise<void> {
  const [first = ""] = signature;
  const hex: `0x${string}` = `0x${first.replace(/^0x/, "")}`;
  const signer = await recoverAddress({ hash: `0x${txID}`, signature: hex }).catch(() => null);
  if (signer?.toLowerCase() !== sender)
    throw new Refusal("SIGERROR", `Validate signature error: it is signed by ${signer ?? "no account"}`);
}

async function toEvmCall(chain: EvmChain, raw: RawData): Promise<EvmCall> {
  const [contract] = raw.contract;
  const value = contract?.parameter.value ?? {};
  const field = (name: string) => String(value[name] ?? "");
  const from = toEvmAddress(field("owner_address"));
  if (contract?.type === "TransferContract") {
    const amount = BigInt(field("amount") || 0) * WEI_PER_SUN;
    if (amount <= 0n || (await chain.balance(from)) < amount)
      throw new Refusal("CONTRACT_VALIDATE_ERROR", "Validate TransferContract error, balance is not sufficient.");
    return { from, to: toEvmAddress(field("to_address")), data: "0x", value: amount, gas: BASE_GAS };
  }
  if (contract?.type !== "TriggerSmartContract")
    throw new Refusal(
      "CONTRACT_VALIDATE_ERROR",
      `The local chain does not support ${contract?.type ?? "empty transaction"}`,
    );
  const data = `0x${field("data")}`;
  const sent = BigInt(field("call_value") || 0);
  const limit = BigInt(raw.fee_limit ?? DEFAULT_FEE_LIMIT);
  const gas = await energyFor(chain, { from, data, sent, limit });
  return { from, to: toEvmAddress(field("contract_address")), data, value: sent * WEI_PER_SUN, gas };
}

/** Returns the energy that the fee limit and the sender's TRX can pay for, but no less than the EVM node requires for any transaction. */
async function energyFor(
  chain: EvmChain,
  { from, data, sent, limit }: { from: string; data: string; sent: bigint; limit: bigint },
): Promise<bigint> {
  const spendable = (await chain.balance(from)) / WEI_PER_SUN - sent;
  const paid = (spendable < limit ? spendable : limit) / SUN_PER_ENERGY;
  const min = BASE_GAS + GAS_PER_BYTE * BigInt(data.length / 2);
  const gas = paid > min ? paid : min;
  return gas > MAX_ENERGY ? MAX_ENERGY : gas;
}

/**
 * Sends the call from the sender. If the EVM node requires more than TRON's fees, the sender's balance is topped up. @returns the EVM
 * transaction's hash.
 */
export async function execute(chain: EvmChain, { from, to, data, value, gas }: EvmCall): Promise<string> {
  const gasPrice = SUN_PER_ENERGY * WEI_PER_SUN;
  const needed = value + gas * gasPrice;
  const held = await chain.balance(from);
  const present = data === "0x" ? held + gas * gasPrice : needed;
  if (data === "0x" || held < needed) await chain.node.call("anvil_setBalance", [from, toQuantity(present)]);
  const call = { from, to, data, value: toQuantity(value), gas: toQuantity(gas), gasPrice: toQuantity(gasPrice) };
  return String(await chain.node.call("eth_sendTransaction", [call]));
}
