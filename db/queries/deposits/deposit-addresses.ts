import { sql } from "drizzle-orm";
import type { Db } from "@/db/client";

/** A request for a customer's deposit address. */
export interface AskedDeposit {
  /** The id for a new address. */
  id: string;
  merchantId: string;
  apiKeyId: string;
  customerRef: string;
  network: string;
  /** The notification URL; null leaves the stored one unchanged. */
  notifyUrl: string | null;
}

/** An address that a customer already has or was just assigned. `isClosed` is true if a user has since paused or removed it. */
export interface AssignedDeposit {
  outcome: "made" | "had";
  id: string;
  receivingAddressId: string;
  address: string;
  kind: string;
  mac: string;
  isClosed: boolean;
  createdAt: Date;
}

type Row = Omit<AssignedDeposit, "createdAt" | "outcome"> & {
  outcome: AssignedDeposit["outcome"] | "deadKey" | "noAddress";
  createdMs: number;
};

/**
 * Assigns a customer a permanent address on a network, or returns the existing one. Requests for one customer are serialized, so call it
 * in a short transaction.
 */
export async function takeDepositAddress(
  db: Db,
  asked: AskedDeposit,
  now: Date,
): Promise<AssignedDeposit | { refused: "deadKey" | "noAddress" }> {
  const { id, apiKeyId, merchantId, customerRef, network, notifyUrl } = asked;
  const [row] = await db.execute<Row & Record<string, unknown>>(sql`
    select outcome, deposit_id as id, receiving_address_id as "receivingAddressId", address, kind, mac, is_closed as "isClosed",
      created_ms as "createdMs"
    from take_deposit_address(${id}, ${apiKeyId}, ${merchantId}, ${customerRef}, ${network}, ${notifyUrl}, ${now.toISOString()}::timestamptz)`);
  if (!row) throw new Error("take_deposit_address returned no row");
  if (row.outcome === "deadKey" || row.outcome === "noAddress") return { refused: row.outcome };
  const { createdMs, outcome, ...rest } = row;
  return { ...rest, outcome, createdAt: new Date(createdMs) };
}

/** Deletes a customer's new address that has not been returned yet. Must be called in a transaction. */
export async function withdrawDepositAddress(
  db: Db,
  { id, merchantId }: Pick<AskedDeposit, "id" | "merchantId">,
): Promise<void> {
  await db.execute(sql`delete from deposit_addresses where id = ${id} and merchant_id = ${merchantId}`);
}
