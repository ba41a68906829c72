import type { Db } from "@/db/client";
import { listAddressNetworks } from "@/db/queries/merchants/address-settings";
import { insertAuditEvent } from "@/db/queries/merchants/audit-events";
import { listMerchantNetworks, lockMerchantWait, writeMerchantWait } from "@/db/queries/merchants/networks";
import { listHeights } from "@/db/queries/networks/cursors";
import { formReader } from "@/lib/domain/fields/form";
import { findNetwork, getNetwork, type Network, namesOf } from "@/lib/domain/networks";
import { confirmationsForm } from "@/lib/domain/networks/confirmations-form";
import { type ConfirmationSetting, confirmationSetting, type MerchantWait } from "@/lib/domain/networks/finality";
import { type FieldError, problem, refuse } from "@/lib/domain/problems/problem";
import type { RequestOrigin } from "@/lib/domain/users/request-origin";

/** Returns the settings of every network on which a merchant has or had an address, in the order of the networks table. */
export async function listConfirmationSettings(db: Db, merchantId: string): Promise<ConfirmationSetting[]> {
  const [networks, preferences, heights] = await Promise.all([
    listAddressNetworks(db, merchantId),
    listMerchantNetworks(db, merchantId),
    listHeights(db),
  ]);
  const waits = new Map(preferences.map((row) => [row.network, row]));
  return namesOf([...networks, ...waits.keys()]).map(({ id }) =>
    confirmationSetting(getNetwork(id), heights.get(id) ?? null, waits.get(id) ?? null),
  );
}

interface ConfirmationFields {
  /** A network's id or alias, as in lib/domain/networks.ts. */
  network: string;
  /** The requirement as typed; empty: the network's rule. */
  text: string;
}

type Checked = { network: Network; wait: MerchantWait } | { errors: FieldError[] };

/** Parses a merchant's confirmation requirement for a network, or returns the problem. */
export function readConfirmations({ network: name, text }: ConfirmationFields): Checked {
  const network = findNetwork(name);
  if (!network) return refuse("", problem("network_unknown"));
  const read = formReader(confirmationsForm(network))({ confirmations: text });
  return "errors" in read ? read : { network, wait: read.confirmations };
}

/**
 * Sets the minimum number of confirmations, or the minimum time, for a merchant's transfers on a network. It applies to every transfer
 * that is not confirmed yet.
 * @returns the resulting rule, or the problem
 */
export async function setMerchantWait(
  db: Db,
  {
    merchantId,
    userId,
    from,
    ...fields
  }: ConfirmationFields & { merchantId: string; userId: string; from?: RequestOrigin | undefined },
  now: Date,
): Promise<MerchantWait | { errors: FieldError[] }> {
  const checked = readConfirmations(fields);
  if ("errors" in checked) return checked;
  const { network, wait } = checked;
  const key = { merchantId, network: network.id };
  return db.transaction(async (tx) => {
    const before = await lockMerchantWait(tx, key);
    if (toRecord(before) === toRecord(wait)) return wait;
    await writeMerchantWait(tx, { ...key, ...wait }, now);
    const detail = { network: network.id, before: toRecord(before), after: toRecord(wait) };
    await insertAuditEvent(tx, { merchantId, userId, from, action: "confirmations.changed", detail }, now);
    return wait;
  });
}

/** Returns the requirement for the audit log: 30 for 30 confirmations, "600 s" for a time, or null. */
function toRecord({ minConfirmations, minSeconds }: MerchantWait): number | string | null {
  return minSeconds === null ? minConfirmations : `${minSeconds} s`;
}
