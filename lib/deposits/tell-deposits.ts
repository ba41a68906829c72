import type { Db } from "@/db/client";
import { listCallbackFormats, listOptIns } from "@/db/queries/callbacks/callback-keys";
import { insertCallbacks } from "@/db/queries/callbacks/callbacks";
import { findDepositVersions, insertDepositEvents } from "@/db/queries/callbacks/events";
import { listDepositsAmong } from "@/db/queries/deposits/deposits";
import { callbackOrigin, writeDepositEvent } from "@/lib/domain/callbacks/callback";
import { toDepositData } from "@/lib/domain/deposits/deposit-wire";
import { newId } from "@/lib/domain/id";
import type { OptInType } from "@/lib/domain/keys/key-rules";

/** The change of deposits: final for the first time, removed by a reorg after that, or final again. */
type DepositNews = "confirmed" | "reversed" | "restored";

/** The event of each kind of news, and what a key must have opted in to. Only a receiver of reversals gets a second confirmation. */
const EVENTS = {
  confirmed: { type: "deposit.confirmed", optIns: ["deposit.confirmed"] },
  reversed: { type: "deposit.reversed", optIns: ["deposit.reversed"] },
  restored: { type: "deposit.confirmed", optIns: ["deposit.confirmed", "deposit.reversed"] },
} as const satisfies Record<DepositNews, { type: OptInType; optIns: readonly OptInType[] }>;

/**
 * Writes the events of deposits whose merchants opted in. Call it in the transaction of the change. Each first confirmation is written
 * once, whatever is repeated; call it once for each reversal and restoration. An event is delivered where the address has a `notify_url`
 * and its key the standard format.
 * @param transferIds those that are no deposits, or not in the state of the news, are passed over
 */
export async function tellDeposits(
  db: Db,
  transferIds: readonly string[],
  news: DepositNews,
  now: Date,
): Promise<void> {
  if (transferIds.length === 0) return;
  const { type, optIns: needed } = EVENTS[news];
  const found = await listDepositsAmong(db, transferIds);
  const deposits = found.filter(({ reversedAt }) => (reversedAt !== null) === (news === "reversed"));
  const makers = [...new Set(deposits.map(({ addressId }) => addressId))];
  const optIns = await listOptIns(db, makers, now);
  const wanted = deposits.filter(({ addressId }) => needed.every((one) => optIns.get(addressId)?.has(one)));
  if (wanted.length === 0) return;
  const ids = wanted.map(({ id }) => id);
  const versions = news === "confirmed" ? null : await findDepositVersions(db, ids);
  const written = wanted.map(({ notifyUrl: url, merchantId, ...deposit }) => {
    const id = `evt_${newId(now)}`;
    const body = writeDepositEvent({ id, type, at: now, data: toDepositData(deposit) });
    const version = versions === null ? 1 : (versions.get(deposit.id) ?? 1) + 1;
    return { id, merchantId, depositId: deposit.addressId, transferId: deposit.id, type, version, body, url } as const;
  });
  const isNew = await insertDepositEvents(
    db,
    written.map(({ url: _, ...event }) => event),
    now,
  );
  const formats = await listCallbackFormats(db, makers, now);
  const callbacks = written.flatMap(({ id, merchantId, depositId, body, url }) => {
    const isSent = isNew.has(id) && (formats.get(depositId) ?? "standard") === "standard";
    if (!isSent || url === null) return [];
    const callback = { id, merchantId, orderId: null, depositId, type, url, body } as const;
    return [{ ...callback, origin: callbackOrigin(url), format: "standard" as const }];
  });
  await insertCallbacks(db, callbacks, now);
}
