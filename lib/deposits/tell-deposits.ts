import type { Db } from "@/db/client";
import { listCallbackFormats, listOptIns } from "@/db/queries/callbacks/callback-keys";
import { insertCallbacks } from "@/db/queries/callbacks/callbacks";
import { insertDepositEvents } from "@/db/queries/callbacks/events";
import { listFinalDeposits } from "@/db/queries/deposits/deposits";
import { callbackOrigin, writeDepositEvent } from "@/lib/domain/callbacks/callback";
import { toDepositData } from "@/lib/domain/deposits/deposit-wire";
import { newId } from "@/lib/domain/id";

const TYPE = "deposit.confirmed";

/**
 * Tells merchants of deposits that are final, where their keys ask for it: call it in the transaction that made them so. Each is told
 * once, whatever is repeated; it is delivered where the address has a `notify_url` and its key the standard format.
 * @param transferIds those that are no final deposit are passed over
 */
export async function tellDeposits(db: Db, transferIds: readonly string[], now: Date): Promise<void> {
  const deposits = await listFinalDeposits(db, transferIds);
  const makers = [...new Set(deposits.map(({ addressId }) => addressId))];
  const optIns = await listOptIns(db, makers, now);
  const wanted = deposits.filter(({ addressId }) => optIns.get(addressId)?.has(TYPE));
  const news = wanted.map(({ notifyUrl: url, merchantId, ...deposit }) => {
    const id = `evt_${newId(now)}`;
    const body = writeDepositEvent({ id, type: TYPE, at: now, data: toDepositData(deposit) });
    return { id, merchantId, depositId: deposit.addressId, transferId: deposit.id, type: TYPE, body, url } as const;
  });
  const written = await insertDepositEvents(
    db,
    news.map(({ url: _, ...event }) => event),
    now,
  );
  const formats = await listCallbackFormats(db, makers, now);
  const owed = news.flatMap(({ id, merchantId, depositId, body, url }) => {
    const isSent = written.has(id) && (formats.get(depositId) ?? "standard") === "standard";
    if (!isSent || url === null) return [];
    const callback = { id, merchantId, orderId: null, depositId, type: TYPE, url, body } as const;
    return [{ ...callback, origin: callbackOrigin(url), format: "standard" as const }];
  });
  await insertCallbacks(db, owed, now);
}
