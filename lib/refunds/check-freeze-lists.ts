import type { Db } from "@/db/client";
import { listDueFreezeChecks, writeFreezeState } from "@/db/queries/refunds/refund-freeze";
import type { FreezeSource } from "@/lib/chains/endpoints/source";
import { canonicalAddress } from "@/lib/domain/addresses/address";
import { findToken, type Network } from "@/lib/domain/networks";
import { nextFreezeLook } from "@/lib/domain/refunds/freeze";
import type { Log } from "@/lib/log";

/** The dependencies of the check of one network. */
export interface FreezeContext {
  network: Network;
  source: FreezeSource;
  log: Log;
}

const BATCH = 5;

/**
 * Checks a bounded number of due addresses of claimed and approved refunds against the freeze lists of their tokens. The result is a
 * warning for the merchant; it changes no status. Safe to repeat and to run in several workers.
 * @returns the number of checked addresses; 0 if none is due or all checks failed
 */
export async function checkFreezeLists(db: Db, { network, source, log }: FreezeContext, now: Date): Promise<number> {
  const due = await listDueFreezeChecks(db, network.id, now, BATCH);
  const checked = await Promise.all(
    due.map(async (refund) => {
      const { id, address, currency, claimedAt, approvedAt } = refund;
      const token = findToken(network, currency);
      try {
        const state =
          address === null || !token
            ? "unchecked"
            : await source.freezeState(
                { owner: address, token: canonicalAddress(network.family, token.contract) },
                currency,
              );
        const lookAt = nextFreezeLook(state, approvedAt ?? claimedAt ?? now, now);
        return await writeFreezeState(db, refund, { state, lookAt }, now);
      } catch (err) {
        log.error({ err, refundId: id, network: network.id }, "the freeze list could not be checked");
        return false;
      }
    }),
  );
  return checked.filter(Boolean).length;
}
