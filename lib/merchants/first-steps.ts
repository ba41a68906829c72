import type { Db } from "@/db/client";
import { addSettledStep } from "@/db/queries/orders/overview";
import type { SettledStep } from "@/lib/domain/onboarding/first-steps";

/** Stores that a user of a shop marked a first step as done, or skipped it. */
export async function settleStep(db: Db, merchantId: string, step: SettledStep): Promise<void> {
  await addSettledStep(db, merchantId, step);
}
