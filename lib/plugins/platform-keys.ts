import { listSigningKeys } from "@/db/queries/plugins/plugins";
import type { Integrations } from "@/lib/domain/integrations/integration";
import { platformPublicKey, readPlatformKeys } from "@/lib/domain/keys/key-pair";
import type { PluginContext } from "@/lib/plugins/plugin-caller";

/**
 * Returns the public keys with which a shop verifies signatures of this service, by the ids of its live key pairs. They are not secret.
 * Key pairs that cannot be decrypted are left out.
 */
export async function listPlatformKeys(
  { pool, openPluginKey, integrations }: PluginContext & { integrations: Integrations },
  merchantId: string,
  now: Date,
): Promise<ReadonlyMap<string, string>> {
  const paired = [...integrations.values()].filter(({ credentials }) => credentials.key === "key_pair");
  if (paired.length === 0) return new Map();
  const asked = paired.map(({ id }) => ({ merchantId, integration: id }));
  const rows = await listSigningKeys(pool.db, asked, now);
  return new Map(
    rows.flatMap((row): [string, string][] => {
      const secret = openPluginKey(row);
      return secret === null ? [] : [[row.id, platformPublicKey(readPlatformKeys(secret))]];
    }),
  );
}
