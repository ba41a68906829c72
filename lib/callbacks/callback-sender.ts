import type { Db } from "@/db/client";
import { type ClaimedCallback, claimDueCallbacks, lockDueOrigins } from "@/db/queries/callbacks/claims";
import { type DeliveryContext, deliverCallback } from "@/lib/callbacks/deliver-callback";
import { MAX_IN_FLIGHT_PER_ORIGIN } from "@/lib/domain/callbacks/callback";

export interface SenderContext extends DeliveryContext {
  /** Of this process, unlike any other's. */
  owner: string;
  now: () => Date;
  /** Deliveries under way in this process at a time. */
  capacity?: number;
  /** How long a claim holds: well beyond the longest attempt. */
  leaseMs?: number;
}

/** Delivers what is due, many at a time. A slow delivery holds up nobody: whatever ends makes room for the next at once. */
export interface CallbackSender {
  /** Claims what is due and starts sending it, without waiting for answers. @returns how many were started. */
  tick(): Promise<number>;
  /** Starts nothing more and waits for what is under way. */
  drain(): Promise<void>;
}

const CAPACITY = 256;
const LEASE_MS = 30_000;

/** A sender for one process; any number of them share the work through the database. */
export function createCallbackSender(db: Db, ctx: SenderContext): CallbackSender {
  const underWay = new Set<Promise<void>>();
  let isDraining = false;
  let current: Promise<number> | null = null;
  let isWantedAgain = false;

  const start = (claim: ClaimedCallback) => {
    const delivery = deliverCallback(db, ctx, claim, ctx.now())
      .catch((error: unknown) =>
        ctx.log.error({ err: error, callbackId: claim.id }, "callback attempt was not recorded"),
      )
      .then(() => {
        underWay.delete(delivery);
        tickSoon();
      });
    underWay.add(delivery);
  };

  const round = async () => {
    const room = (ctx.capacity ?? CAPACITY) - underWay.size;
    if (isDraining || room <= 0) return 0;
    const claims = await claim(db, ctx, room, ctx.now());
    claims.forEach(start);
    return claims.length;
  };

  const tick = (): Promise<number> => {
    isWantedAgain = current !== null;
    current ??= round().finally(() => {
      current = null;
      if (isWantedAgain) tickSoon();
    });
    return current;
  };

  const tickSoon = () => {
    tick().catch((error: unknown) => ctx.log.error({ err: error }, "callbacks could not be claimed"));
  };

  return {
    tick,
    async drain() {
      isDraining = true;
      await current?.catch(() => {});
      await Promise.all(underWay);
    },
  };
}

async function claim(db: Db, ctx: SenderContext, room: number, now: Date): Promise<ClaimedCallback[]> {
  const leaseUntil = new Date(now.getTime() + (ctx.leaseMs ?? LEASE_MS));
  return db.transaction(async (tx) => {
    const origins = await lockDueOrigins(tx, room, now);
    if (origins.length === 0) return [];
    const share = Math.min(MAX_IN_FLIGHT_PER_ORIGIN, Math.max(1, Math.floor(room / origins.length)));
    return claimDueCallbacks(tx, { origins, share, owner: ctx.owner, leaseUntil }, now);
  });
}
