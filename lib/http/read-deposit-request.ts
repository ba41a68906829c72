import type { DepositSearch } from "@/db/queries/deposits/deposits";
import type { DepositRequest } from "@/lib/deposits/give-address";
import { DEPOSIT_ADDRESS, DEPOSIT_LIST } from "@/lib/domain/deposits/deposit-requests";
import { NO_RULES, type RequestRules } from "@/lib/domain/fields/field";
import type { JsonObject } from "@/lib/domain/fields/json-value";
import { requestReader } from "@/lib/http/read-request";

const readDepositAddress = requestReader(DEPOSIT_ADDRESS);
const readDepositList = requestReader(DEPOSIT_LIST);

/**
 * Reads the body of deposit-address.
 * @throws AppError 10001 that lists every invalid field
 */
export function readDepositRequest(body: JsonObject, { env }: { env: RequestRules }): DepositRequest {
  const { customer_ref: customerRef, network, notify_url: notifyUrl } = readDepositAddress(body, env);
  return { customerRef, network, notifyUrl };
}

/**
 * Reads the body of deposit/list.
 * @throws AppError 10001 that lists every invalid field
 */
export function readDepositSearch(body: JsonObject): DepositSearch {
  const { customer_ref: customerRef, network, currency, cursor, limit } = readDepositList(body, NO_RULES);
  return { customerRef, network: network?.id ?? null, currency, cursor, limit };
}
