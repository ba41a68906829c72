import type { LinkNames, LinkSearch } from "@/db/queries/links/links";
import { LINK_ADD, LINK_LIST, LINK_NAMES } from "@/lib/domain/api/link-requests";
import { NO_RULES, type RequestRules } from "@/lib/domain/fields/field";
import type { JsonObject } from "@/lib/domain/fields/json-value";
import { findToken } from "@/lib/domain/networks";
import { fieldError, problem } from "@/lib/domain/problems/problem";
import { AppError, invalidField } from "@/lib/errors";
import { requestReader } from "@/lib/http/read-request";
import type { LinkRequest } from "@/lib/links/create-link";

const readAdd = requestReader(LINK_ADD);
const readNames = requestReader(LINK_NAMES);
const readList = requestReader(LINK_LIST);

/**
 * Reads the body of link/add.
 * @throws AppError 10001 that lists every invalid field
 */
export function readLinkRequest(body: JsonObject, { env }: { env: RequestRules }): LinkRequest {
  const fields = readAdd(body, env);
  const { network, currency } = fields;
  if (network && currency && !findToken(network, currency))
    throw invalidField("currency", problem("token_not_on_network", { currency, network: network.name }));
  return {
    network: network?.id ?? null,
    currency,
    fiat: fields.fiat?.code ?? null,
    amount: fields.amount ?? fields.fiat_amount,
    minAmount: fields.min_amount,
    maxAmount: fields.max_amount,
    subject: fields.subject,
    noteLabel: fields.note_label,
    notifyUrl: fields.notify_url,
    redirectUrl: fields.redirect_url,
    maxUses: fields.max_uses,
    mchLinkId: fields.mch_link_id,
    expires: fields.expires_in === 0 ? null : { seconds: fields.expires_in },
  };
}

/**
 * Reads the body of link/detail and link/close.
 * @throws AppError 10001 if neither id is given, or one has an invalid format
 */
export function readLinkNames(body: JsonObject): LinkNames {
  const { link_id: id, mch_link_id: mchLinkId } = readNames(body, NO_RULES);
  if (id !== null) return { id };
  if (mchLinkId !== null) return { mchLinkId };
  const missing = problem("link_id_missing");
  throw new AppError(missing, { errors: ["link_id", "mch_link_id"].map((field) => fieldError(field, missing)) });
}

/**
 * Reads the body of link/list.
 * @throws AppError 10001 that lists every invalid field
 */
export function readLinkSearch(body: JsonObject): LinkSearch {
  const { status, cursor, limit } = readList(body, NO_RULES);
  return { status, cursor, limit };
}
