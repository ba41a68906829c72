import { sql } from "drizzle-orm";
import type { Db } from "@/db/client";

/** A request for a customer's address. */
export interface AskedDeposit {
  /** The id of a new address. */
  id: string;
  merchantId: string;
  apiKeyId: string;
  customerRef: string;
  network: string;
  /** Null leaves it as it is. */
  notifyUrl: string | null;
}

/** An address that a customer has, or was just given; `isClosed` where a person paused or removed it since. */
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
 * Gives a customer an address that stays theirs on a network, or finds the one that they have. Requests for one customer take turns;
 * call it in a transaction that is over soon.
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
  if (!row) throw new Error("take_deposit_address answered nothing");
  if (row.outcome === "deadKey" || row.outcome === "noAddress") return { refused: row.outcome };
  const { createdMs, outcome, ...rest } = row;
  return { ...rest, outcome, createdAt: new Date(createdMs) };
}

/** Withdraws a customer's new address that was not returned yet. Must be called in a transaction. */
export async function withdrawDepositAddress(
  db: Db,
  { id, merchantId }: Pick<AskedDeposit, "id" | "merchantId">,
): Promise<void> {
  await db.execute(sql`delete from deposit_addresses where id = ${id} and merchant_id = ${merchantId}`);
}
