import { PublicKey } from "@solana/web3.js";
import type { Forgery } from "@/chaos/faults/evm-forgery";
import { type Exchange, type Fault, passOn } from "@/chaos/faults/fault-proxy";
import type { Random } from "@/chaos/plan/random";
import { associatedAccount } from "@/lib/domain/checkout/solana-payment";

interface Block {
  signatures?: string[];
  transactions?: unknown[];
}

const SLOTS_BACK = 20;

/**
 * Returns the fault of a Solana node that reports a forged payment in a real block. With `isEarly`, it reports its newest confirmed slot
 * as final.
 */
export function inventOnSolana({ token: mint, to, baseUnits }: Forgery, random: Random, isEarly: boolean): Fault {
  const signature = `${randomKey(random)}${randomKey(random)}`;
  const payer = randomKey(random);
  const account = associatedAccount(to, mint);
  let slot: number | null = null;

  const meta = {
    err: null,
    fee: 5_000,
    innerInstructions: [],
    loadedAddresses: { writable: [], readonly: [] },
    preBalances: [1, 1],
    postBalances: [1, 1],
    preTokenBalances: [],
    postTokenBalances: [
      { accountIndex: 1, mint, owner: to, uiTokenAmount: { amount: String(baseUnits), decimals: 6, uiAmount: null } },
    ],
  };
  const asPlain = { signatures: [signature], message: { accountKeys: [payer, account], instructions: [] } };
  const asAccounts = { signatures: [signature], accountKeys: [{ pubkey: payer }, { pubkey: account }] };
  const entry = () => ({ signature, slot, err: null, memo: null, confirmationStatus: "finalized" });

  async function change(exchange: Exchange, to: (result: unknown) => unknown): Promise<void> {
    slot ??= await newestBlock(exchange);
    const passed = await exchange.pass();
    if (passed) exchange.answer(to(passed.result));
  }

  async function block(exchange: Exchange): Promise<void> {
    const [at, form] = exchange.call.params as [number, { transactionDetails?: string }];
    const details = form.transactionDetails;
    return change(exchange, (result) => {
      const { signatures, transactions, ...rest } = result as Block;
      if (at !== slot || details === "none") return result;
      if (details === "signatures") return { ...rest, signatures: [...(signatures ?? []), signature] };
      const transaction = details === "accounts" ? asAccounts : asPlain;
      return { ...rest, transactions: [...(transactions ?? []), { meta, transaction, version: "legacy" }] };
    });
  }

  async function history(exchange: Exchange): Promise<void> {
    const [asked, { before }] = exchange.call.params as [string, { before?: string }];
    if (asked !== account || before !== undefined) return passOn(exchange);
    return change(exchange, (result) => {
      if (slot === null) return result;
      return [entry(), ...(result as { slot: number }[])].toSorted((one, two) => Number(two.slot) - Number(one.slot));
    });
  }

  return async (exchange) => {
    const { method, params } = exchange.call;
    if (method === "getBlock") return block(exchange);
    if (method === "getSignaturesForAddress") return history(exchange);
    if (method === "getTransaction" && params[0] === signature && slot !== null)
      return exchange.answer({ slot, meta, transaction: asPlain, version: "legacy", blockTime: null });
    if (method === "getSlot" && isEarly) params[0] = { commitment: "confirmed" };
    return passOn(exchange);
  };
}

function randomKey(random: Random): string {
  return new PublicKey(Uint8Array.from({ length: 32 }, () => random.int(1, 255))).toBase58();
}

async function newestBlock({ pass }: Exchange): Promise<number | null> {
  const head = Number((await pass({ method: "getSlot", params: [{ commitment: "confirmed" }] }))?.result ?? 0);
  const params = [Math.max(0, head - SLOTS_BACK), head, { commitment: "confirmed" }];
  const slots = ((await pass({ method: "getBlocks", params }))?.result ?? []) as number[];
  return slots.at(-1) ?? null;
}
