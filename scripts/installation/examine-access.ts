import { openDb } from "@/db/client";
import { countClearHashes } from "@/db/queries/merchants/key-hashes";
import { bad, type Finding, good } from "@/scripts/installation/finding";

/** Reports API keys whose hash an earlier version stored in the clear; reports nothing if the schema is older than that check. */
export async function examineKeyHashes(url: string): Promise<Finding[]> {
  const about = "API keys";
  const pool = openDb(url, { work: "pages", max: 1, applicationName: "stablegate-doctor" });
  try {
    const count = await countClearHashes(pool.db);
    if (count === 0) return [good(about, "their hashes are encrypted")];
    return [
      bad(
        about,
        `the hashes of ${count} are stored in the clear, as an earlier version needs them: with one, a reader of the database can sign plugin v1 callbacks`,
        "End all processes of earlier versions and run a worker of this one: it removes the hashes an hour later (docs/running.md).",
      ),
    ];
  } catch {
    // What is wrong with the database or its schema is found by examineDatabase.
    return [];
  } finally {
    await pool.close();
  }
}
