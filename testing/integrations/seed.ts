import type { Db } from "@/db/client";
import type { IntegrationId } from "@/lib/domain/integration-id";
import type { Integrations } from "@/lib/domain/integrations/integration";
import { INSTALLED } from "@/lib/integrations/installed";
import { switchOnPlugin } from "@/lib/plugins/plugin-settings";
import { seedPerson, TEST_APP_SECRET } from "@/testing/database/seed";

/** The dependencies for changing plugins in tests. */
export const PLUGIN_SETTINGS = { appSecret: TEST_APP_SECRET, integrations: INSTALLED };

/** Inserts a plugin that a user of the shop enabled, with its key. Prices that specify no currency are in CNY, unless `fiat` is given. */
export async function seedPlugin(
  db: Db,
  { merchantId, integration, fiat = "CNY" }: { merchantId: string; integration: IntegrationId; fiat?: string | null },
  now: Date,
  integrations: Integrations = INSTALLED,
) {
  const who = { merchantId, integration, fiat, userId: await seedPerson(db, { merchantId }, now) };
  const issued = await switchOnPlugin(db, { appSecret: TEST_APP_SECRET, integrations }, who, now);
  if (!issued) throw new Error("A plugin that is switched on first comes with a key");
  return { ...who, ...issued };
}
