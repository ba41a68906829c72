import type { Db } from "@/db/client";
import type { IntegrationId } from "@/lib/domain/integration-id";
import { switchOnPlugin } from "@/lib/plugins/plugin-settings";
import { seedPerson, TEST_APP_SECRET } from "@/testing/database/seed";

/** A plugin of a shop, switched on by a person of it, with its key. */
export async function seedPlugin(
  db: Db,
  { merchantId, integration }: { merchantId: string; integration: IntegrationId },
  now: Date,
) {
  const who = { merchantId, integration, userId: await seedPerson(db, { merchantId }, now) };
  const issued = await switchOnPlugin(db, TEST_APP_SECRET, who, now);
  if (!issued) throw new Error("A plugin that is switched on first comes with a key");
  return { ...who, ...issued };
}
