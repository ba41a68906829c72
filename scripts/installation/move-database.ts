import { rm } from "node:fs/promises";
import path from "node:path";
import type { Manifest } from "@/db/dump/format";
import { holdsAll, restoreDump } from "@/db/dump/restore-dump";
import { writeDump } from "@/db/dump/write-dump";
import { serverNames } from "@/lib/domain/database-url";
import { markMoved, startOwnDatabase } from "@/scripts/installation/own-database";
import { ownFiles } from "@/scripts/installation/own-folder";

/**
 * Moves all data from the embedded database to an empty database elsewhere. No other process can write in the meantime, because this
 * process has exclusive access to the folder. Every table is compared with the data read. The original data stay in place, marked as
 * moved.
 * @param folders of the embedded database, and db/ of the project
 * @returns what was moved
 * @throws StartProblem while Stablegate runs on the data; DumpProblem if the target is not empty
 */
export async function moveDatabase(
  folders: { own: string; db: string },
  target: string,
  now: Date,
): Promise<Manifest["tables"]> {
  const source = await startOwnDatabase(folders.own);
  const file = path.join(ownFiles(folders.own).dumps, "moving.dump.gz");
  try {
    const { tables } = await writeDump(source.url, file, now);
    // If an earlier move stopped after the last row but before the data were marked as moved, it is completed. It cannot be restarted,
    // because the target is no longer empty.
    if (!(await holdsAll(target, { tables }))) await restoreDump(target, file, folders.db, { isCopy: true });
    await markMoved(folders.own, { to: serverNames(target), at: now.toISOString() });
    return tables;
  } finally {
    await rm(file, { force: true });
    await source.stop();
  }
}
