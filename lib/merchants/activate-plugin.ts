import type { Db } from "@/db/client";
import { lockLiveApiKey, updateApiKey, updateSharedRules } from "@/db/queries/merchants/api-keys";
import { insertAuditEvent } from "@/db/queries/merchants/audit-events";
import { allowsPlugin, PLUGIN_FORMAT } from "@/lib/domain/keys/key-rules";
import { problem } from "@/lib/domain/problems/problem";
import type { RequestOrigin } from "@/lib/domain/users/request-origin";
import { AppError } from "@/lib/errors";
import { deadKey, findKeyOwner } from "@/lib/merchants/api-keys";

interface DecidedKey {
  merchantId: string;
  id: string;
  userId: string;
  from?: RequestOrigin | undefined;
}

/**
 * Sets the callback format of a key to the one that shop plugins read, if the merchant allows a plugin to use the key. Otherwise the key
 * keeps its format, and the request is stored for the back office. Safe to repeat.
 * @returns the merchant of the key
 * @throws AppError 10002 if the key was revoked after its request was received; 10004 if the merchant did not allow a plugin
 */
export async function activatePlugin(
  db: Db,
  { apiKeyId: id }: { apiKeyId: string },
  now: Date,
): Promise<{ id: string; name: string }> {
  const { merchant, isAllowed } = await db.transaction(async (tx) => {
    const owner = await findKeyOwner(tx, id, now);
    const key = { merchantId: owner.id, id };
    const rules = await lockLiveApiKey(tx, key.merchantId, id, now);
    if (!rules) throw deadKey();
    const event = { merchantId: key.merchantId, userId: null };
    if (!allowsPlugin(rules)) {
      if (rules.pluginRequestedAt === null) {
        await updateApiKey(tx, key, { pluginRequestedAt: now }, now);
        const detail = { apiKeyId: id, name: rules.name };
        await insertAuditEvent(tx, { ...event, action: "api_key.plugin_requested", detail }, now);
      }
      return { merchant: owner, isAllowed: false };
    }
    if (rules.callbackFormat !== PLUGIN_FORMAT) {
      await updateSharedRules(tx, key, { callbackFormat: PLUGIN_FORMAT, isForPlugin: rules.isForPlugin });
      const detail = { apiKeyId: id, callbackFormat: PLUGIN_FORMAT, by: "plugin/activate" };
      await insertAuditEvent(tx, { ...event, action: "api_key.changed", detail }, now);
    }
    return { merchant: owner, isAllowed: true };
  });
  if (!isAllowed) throw new AppError(problem("api_key_not_for_plugin"));
  return merchant;
}

/** Allows plugins to use a key and sets the format of its callbacks to theirs. Returns false if there is no such live key. */
export async function allowPlugin(db: Db, key: DecidedKey, now: Date): Promise<boolean> {
  const rules = { callbackFormat: PLUGIN_FORMAT, isForPlugin: true };
  return db.transaction(async (tx) => {
    if (!(await lockLiveApiKey(tx, key.merchantId, key.id, now))) return false;
    await updateSharedRules(tx, key, rules);
    const { id, ...event } = key;
    await insertAuditEvent(tx, { ...event, action: "api_key.changed", detail: { apiKeyId: id, ...rules } }, now);
    return true;
  });
}

/** Dismisses the request of a plugin for a key, which keeps its format. Returns false if there is no such live key. */
export async function dismissPlugin(db: Db, key: DecidedKey, now: Date): Promise<boolean> {
  return db.transaction(async (tx) => {
    const rules = await lockLiveApiKey(tx, key.merchantId, key.id, now);
    if (!rules) return false;
    if (rules.pluginRequestedAt === null) return true;
    await updateApiKey(tx, key, { pluginRequestedAt: null }, now);
    const { id, ...event } = key;
    const detail = { apiKeyId: id, name: rules.name };
    await insertAuditEvent(tx, { ...event, action: "api_key.plugin_dismissed", detail }, now);
    return true;
  });
}
