import path from "node:path";
import { writeDump } from "@/db/dump/write-dump";
import { dumpName, keepDump } from "@/scripts/installation/keep-dumps";
import { openInstallation } from "@/scripts/installation/own-database";
import { ownFiles } from "@/scripts/installation/own-folder";

/**
 * `npm run dump [-- FILE]`: writes every table to one compressed file. Without FILE, the dump is written to the dumps folder of the
 * embedded database, or with DATABASE_URL to DUMP_FOLDER, and outdated dumps are deleted. With DATABASE_URL and without DUMP_FOLDER, it is
 * written to the current folder.
 */
async function run(): Promise<void> {
  const now = new Date();
  const installation = await openInstallation(process.env);
  try {
    const typed = process.argv[2];
    const folder = installation.folder ? ownFiles(installation.folder).dumps : process.env["DUMP_FOLDER"]?.trim();
    const file = path.resolve(process.env["INIT_CWD"] ?? "", typed ?? dumpName(now));
    if (folder && !typed) console.log(`The dump is ${await keepDump(installation.url, folder, now)}`);
    else {
      const { tables } = await writeDump(installation.url, file, now);
      console.log(
        `The dump is ${file}: ${tables.length} tables, ${tables.reduce((sum, { rows }) => sum + rows, 0)} rows.`,
      );
    }
    console.log(
      "It does not contain APP_SECRET, without which its encrypted values cannot be read. Keep both, in different locations.",
    );
  } finally {
    await installation.close();
  }
}

run().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
