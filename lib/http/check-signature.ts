import { forgetRequestIds, rememberRequestId } from "@/db/queries/merchants/request-ids";
import { type SignatureHeaders, verifyRequestSignature } from "@/lib/domain/keys/signature";
import { AppError } from "@/lib/errors";
import type { ApiContext } from "@/lib/http/api-context";
import type { KnownKey } from "@/lib/http/key-ring";

const REMEMBER_MS = 10 * 60_000;
const FORGET_CHANCE = 1 / 100;
const HEADERS = { id: "webhook-id", timestamp: "webhook-timestamp", signature: "webhook-signature" } as const;

/**
 * Judges the signature of a request: one that is there must be right and new, one that the key demands must be there.
 * @throws AppError 10002 in words
 */
export async function checkSignature(
  context: ApiContext,
  key: KnownKey,
  request: Request,
  rawBody: Uint8Array,
  now: Date,
): Promise<void> {
  const headers = readHeaders(request.headers, key);
  if (!headers) return;
  const { pathname, search } = new URL(request.url);
  const content = { method: request.method, pathAndQuery: pathname + search, rawBody };
  const problem = verifyRequestSignature(key.secret(), headers, content, now);
  if (problem) throw new AppError(10002, problem);
  const entry = { apiKeyId: key.id, requestId: headers.id };
  const isNew = await rememberRequestId(context.pool.db, entry, new Date(now.getTime() + REMEMBER_MS), now);
  if (!isNew) {
    throw new AppError(
      10002,
      `webhook-id "${headers.id.slice(0, 60)}" was used before; each signed request needs an id of its own`,
    );
  }
  if (Math.random() < FORGET_CHANCE) await forgetRequestIds(context.pool.db, now);
}

function readHeaders(headers: Headers, key: KnownKey): SignatureHeaders | null {
  const id = headers.get(HEADERS.id);
  const timestamp = headers.get(HEADERS.timestamp);
  const signature = headers.get(HEADERS.signature);
  if (id !== null && timestamp !== null && signature !== null) return { id, timestamp, signature };
  if (id === null && timestamp === null && signature === null) {
    if (!key.mustSign) return null;
    throw new AppError(10002, `This API key accepts signed requests only; send ${Object.values(HEADERS).join(", ")}`);
  }
  const missing = Object.values(HEADERS).filter((name) => headers.get(name) === null);
  throw new AppError(10002, `The signature is incomplete: ${missing.join(" and ")} is missing`);
}
