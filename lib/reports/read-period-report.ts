import type { Db } from "@/db/client";
import { isLiveKey } from "@/db/queries/merchants/api-keys";
import type { Report } from "@/lib/domain/ledger/report-wire";
import type { Period } from "@/lib/domain/reports";
import { deadKey } from "@/lib/merchants/api-keys";
import type { Caller } from "@/lib/orders/create-order";
import { readReport } from "@/lib/reports/month-report";

/**
 * Returns the report of a merchant for a period, as the back office shows it under Reports.
 * @throws AppError 10002 the key is no longer valid
 */
export async function readPeriodReport(
  db: Db,
  { merchantId, apiKeyId }: Caller,
  period: Period,
  now: Date,
): Promise<Report> {
  if (!(await isLiveKey(db, apiKeyId, now))) throw deadKey();
  return readReport(db, merchantId, period);
}
