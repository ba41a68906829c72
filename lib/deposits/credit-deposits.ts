import type { Db } from "@/db/client";
import { listCallbackFormats, listOptIns } from "@/db/queries/callbacks/callback-keys";
import { insertCallbacks, insertEvents } from "@/db/queries/callbacks/callbacks";
import { touchDepositAddresses } from "@/db/queries/deposits/deposit-page";
import { findDepositAddresses, findEventVersions, listDepositsAmong } from "@/db/queries/deposits/deposits";
import { callbackOrigin, writeEvent } from "@/lib/domain/callbacks/callback";
import type { CreditTarget, FundsChange } from "@/lib/domain/credit-target";
import { toDepositData } from "@/lib/domain/deposits/deposit-wire";
import { newId } from "@/lib/domain/id";
import type { OptInType } from "@/lib/domain/keys/key-rules";

/** The events of deposits: final for the first time, removed by a reorg after that, or final again. */
const EVENTS = {
  confirmed: { type: "deposit.confirmed", optIns: ["deposit.confirmed"] },
  lost: { type: "deposit.reversed", optIns: ["deposit.reversed"] },
  // A second confirmation is sent only to merchants that receive reversals.
  restored: { type: "deposit.confirmed", optIns: ["deposit.confirmed", "deposit.reversed"] },
} as const satisfies Partial<Record<FundsChange["type"], { type: OptInType; optIns: readonly OptInType[] }>>;

/**
 * Writes the events of deposits that became final or were lost, if their merchants opted in, and updates the pages of the deposit
 * addresses. Call it in the transaction of the change. A repeated call does not write the first confirmation of a deposit again, but the
 * function must be called only once for each reversal and restoration. An event is delivered if the address has a `notify_url` and the
 * address's key uses the standard format.
 * @returns an empty list: no order changes
 */
export async function creditDeposits(
  tx: Db,
  _ctx: unknown,
  changes: readonly FundsChange[],
  now: Date,
): Promise<readonly never[]> {
  for (const type of ["confirmed", "lost", "restored"] as const) {
    const own = changes.filter((change) => change.type === type);
    await enqueueEvents(
      tx,
      own.map(({ transferId }) => transferId),
      type,
      now,
    );
  }
  await touchDepositAddresses(tx, [...new Set(changes.map(({ target }) => target.id))]);
  return [];
}

/**
 * Finds the deposit addresses that transfers credit: those that belonged to their customers when the transfers were sent.
 * @returns the addresses by the id of the transfer; transfers to other addresses, and look-alikes, are left out
 */
export async function findCreditedAddresses(
  tx: Db,
  transferIds: readonly string[],
): Promise<ReadonlyMap<string, CreditTarget>> {
  const found = await findDepositAddresses(tx, transferIds);
  return new Map([...found].map(([transferId, id]) => [transferId, { kind: "deposit", id }]));
}

/**
 * Enqueues the events of deposits for a change, if their merchants opted in.
 * @param transferIds the ids of the transfers; transfers that are not deposits, and deposits that are not in the state of the change, are
 * skipped
 */
async function enqueueEvents(
  db: Db,
  transferIds: readonly string[],
  change: keyof typeof EVENTS,
  now: Date,
): Promise<void> {
  if (transferIds.length === 0) return;
  const { type, optIns: needed } = EVENTS[change];
  const found = await listDepositsAmong(db, transferIds);
  const deposits = found.filter(({ reversedAt }) => (reversedAt !== null) === (change === "lost"));
  const makers = [...new Set(deposits.map(({ addressId }) => addressId))];
  const optIns = await listOptIns(db, makers, now);
  const wanted = deposits.filter(({ addressId }) => needed.every((one) => optIns.get(addressId)?.has(one)));
  if (wanted.length === 0) return;
  const ids = wanted.map(({ id }) => id);
  const versions = change === "confirmed" ? null : await findEventVersions(db, ids);
  const written = wanted.map(({ notifyUrl: url, merchantId, ...deposit }) => {
    const id = `evt_${newId(now)}`;
    const target: CreditTarget = { kind: "deposit", id: deposit.addressId };
    const body = writeEvent({ id, type, at: now, data: toDepositData(deposit) });
    const version = versions === null ? 1 : (versions.get(deposit.id) ?? 1) + 1;
    return { id, merchantId, target, transferId: deposit.id, type, version, body, url };
  });
  const isNew = await insertEvents(
    db,
    written.map(({ url: _, ...event }) => event),
    now,
  );
  const formats = await listCallbackFormats(db, makers, now);
  const callbacks = written.flatMap(({ id, merchantId, target, body, url }) => {
    const isSent = isNew.has(id) && (formats.get(target.id) ?? "standard") === "standard";
    if (!isSent || url === null) return [];
    return [{ id, merchantId, target, type, url, body, origin: callbackOrigin(url), format: "standard" as const }];
  });
  await insertCallbacks(db, callbacks, now);
}
