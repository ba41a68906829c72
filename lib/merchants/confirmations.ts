import type { Db } from "@/db/client";
import { listAddressNetworks } from "@/db/queries/address-settings";
import { insertAuditEvent } from "@/db/queries/audit-events";
import { listHeights } from "@/db/queries/cursors";
import { listMerchantNetworks, lockMinConfirmations, writeMinConfirmations } from "@/db/queries/merchant-networks";
import { type ConfirmationSetting, confirmationSetting } from "@/lib/domain/confirmation-setting";
import { judgeMinConfirmations } from "@/lib/domain/finality";
import { findNetwork, getNetwork, type Network, namesOf } from "@/lib/domain/networks";
import type { FieldError } from "@/lib/errors";

/** The settings of every network on which a merchant has or had an address, in the order of the table. */
export async function listConfirmationSettings(db: Db, merchantId: string): Promise<ConfirmationSetting[]> {
  const [networks, wishes, heights] = await Promise.all([
    listAddressNetworks(db, merchantId),
    listMerchantNetworks(db, merchantId),
    listHeights(db),
  ]);
  const wishOf = new Map(wishes.map(({ network, minConfirmations }) => [network, minConfirmations]));
  return namesOf([...networks, ...wishOf.keys()]).map(({ id }) =>
    confirmationSetting(getNetwork(id), heights.get(id) ?? null, wishOf.get(id) ?? null),
  );
}

interface ConfirmationFields {
  /** An id or alias of lib/domain/networks.ts. */
  network: string;
  /** As a person typed it; empty: as the network has it. */
  text: string;
}

type Judged = { network: Network; minConfirmations: number | null } | { errors: [FieldError] };

/** Reads what a person asks for on a network, or says what is wrong. */
export function judgeConfirmations({ network: name, text }: ConfirmationFields): Judged {
  const network = findNetwork(name);
  if (!network) return { errors: [{ field: "", message: "There is no such network. Reload the page" }] };
  const judged = judgeMinConfirmations(network, text);
  return "problem" in judged
    ? { errors: [{ field: "confirmations", message: judged.problem }] }
    : { ...judged, network };
}

/**
 * Sets how many confirmations a merchant's transfers on a network need at least. It counts from then on for every transfer
 * that is not confirmed yet; one that is stays so. Answers with the number, or what is wrong in words.
 */
export async function setMinConfirmations(
  db: Db,
  { merchantId, userId, ...fields }: ConfirmationFields & { merchantId: string; userId: string },
  now: Date,
): Promise<{ minConfirmations: number | null } | { errors: FieldError[] }> {
  const judged = judgeConfirmations(fields);
  if ("errors" in judged) return judged;
  const { network, minConfirmations } = judged;
  const key = { merchantId, network: network.id };
  return db.transaction(async (tx) => {
    const before = await lockMinConfirmations(tx, key);
    if (before === minConfirmations) return { minConfirmations };
    await writeMinConfirmations(tx, { ...key, minConfirmations }, now);
    const detail = { network: network.id, before, after: minConfirmations };
    await insertAuditEvent(tx, { merchantId, userId, action: "confirmations.changed", detail }, now);
    return { minConfirmations };
  });
}
