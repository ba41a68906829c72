import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { readChanges, releaseChanges } from "./change-files.mjs";
import { inRoot, main, print } from "./machine/toolchain.mjs";

// npm run changelog -- 1.2.0: moves the change files into CHANGELOG.md, under a release with today's date.
await main(() => {
  const version = process.argv[2] ?? "";
  const changes = readChanges();
  const file = inRoot("CHANGELOG.md");
  const date = new Date().toISOString().slice(0, 10);
  writeFileSync(file, releaseChanges(readFileSync(file, "utf8"), changes, version, date));
  for (const { name } of changes) rmSync(inRoot("changes", name));
  print(`CHANGELOG.md: ${version} with ${changes.length} change files, which were removed from changes/`);
});
