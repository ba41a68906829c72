import { canonicalAddress, displayAddress } from "@/lib/domain/addresses/address";
import { safeFile, transferCalldata } from "@/lib/domain/addresses/sweep";
import { solanaPayment } from "@/lib/domain/checkout/solana-payment";
import { tronPayment } from "@/lib/domain/checkout/tron-payment";
import type { ReadHead, WalletPayment } from "@/lib/domain/checkout/wallet-request";
import { formatUnits } from "@/lib/domain/money";
import type { Family, Network } from "@/lib/domain/networks";
import { csvLine } from "@/lib/domain/reports";

/** The kinds of batch files: a list, a file for Safe's Transaction Builder, and unsigned transactions. */
export const BATCH_KINDS = ["csv", "safe", "plan"] as const;
export type BatchKind = (typeof BATCH_KINDS)[number];

/** The kinds of batch files on the networks of a family. */
export const FAMILY_BATCHES: Readonly<Record<Family, readonly BatchKind[]>> = {
  evm: ["csv", "safe"],
  tron: ["csv", "plan"],
  solana: ["csv", "plan"],
};

/** The maximum number of refunds in a file. */
export const MAX_IN_FILE = 200;

/** A refund in a batch file. `order` is the merchant's number of its order. */
export interface BatchRefund {
  refundId: string;
  order: string | null;
  payment: WalletPayment;
}

/** A file with its name, its media type and its content. */
export interface BatchFile {
  name: string;
  type: string;
  text: string;
}

const HEAD = ["refund_id", "mch_order_id", "network", "address", "currency", "token", "amount", "base_units"];
const FORM = { separator: "comma" } as const;

/** Returns a list of payments, for wallets and programs that read one. */
export function batchSheet(network: Network, refunds: readonly BatchRefund[], now: Date): BatchFile {
  const lines = refunds.map(({ refundId, order, payment: { token, address, units } }) => [
    refundId,
    order,
    network.id,
    displayAddress(network.family, address),
    token.currency,
    displayAddress(network.family, canonicalAddress(network.family, token.contract)),
    { decimal: formatUnits(units, token.decimals) },
    { decimal: units.toString() },
  ]);
  const text = [HEAD, ...lines].map((line) => csvLine(line, FORM)).join("");
  return { name: nameOf(network, now, "csv"), type: "text/csv", text };
}

/** Returns a file for Safe's Transaction Builder that proposes all payments as one transaction. */
export function batchSafe(network: Network, refunds: readonly BatchRefund[], now: Date): BatchFile {
  const calls = refunds.map(({ payment: { token, address, units } }) => ({
    to: displayAddress("evm", canonicalAddress("evm", token.contract)),
    data: transferCalldata(address, units),
  }));
  const text = safeFile({ chainId: network.chainId, name: "Pay refunds" }, calls, now);
  return { name: nameOf(network, now, "json"), type: "application/json", text };
}

/**
 * Returns unsigned transactions for a program that has the keys, in the shape of the file for sweeps.
 * @param from the paying account, in canonical form
 */
export function batchPlan(
  network: Network,
  refunds: readonly BatchRefund[],
  { from, head }: { from: string; head: ReadHead },
  now: Date,
): BatchFile {
  const shown = (address: string) => displayAddress(network.family, address);
  const transfers = refunds.map(({ refundId, order, payment }) => {
    const { token, address, units } = payment;
    return {
      refund_id: refundId,
      mch_order_id: order,
      from: shown(from),
      to: shown(address),
      currency: token.currency,
      token: token.contract,
      decimals: token.decimals,
      base_units: units.toString(),
      amount: formatUnits(units, token.decimals),
      transaction: unsignedOf(payment, { from, head }, now),
    };
  });
  const facts = { network: network.id, chain_id: network.chainId, created_at: now.toISOString(), from: shown(from) };
  const text = JSON.stringify({ ...facts, transfers }, null, 2);
  return { name: nameOf(network, now, "json"), type: "application/json", text };
}

function unsignedOf(
  { network, token, address, units }: WalletPayment,
  { from, head }: { from: string; head: ReadHead },
  now: Date,
) {
  const { contract, decimals } = token;
  if (network.family === "solana") {
    const payment = { payer: from, recipient: address, mint: contract, units, decimals, blockhash: head.hash };
    return Buffer.from(solanaPayment(payment)).toString("base64");
  }
  const canonical = canonicalAddress(network.family, contract);
  return tronPayment({ payer: from, recipient: address, contract: canonical, units, block: head, now });
}

function nameOf({ id }: Network, now: Date, extension: string): string {
  return `refunds-${id}-${now.toISOString().slice(0, 19).replaceAll(":", "")}.${extension}`;
}
