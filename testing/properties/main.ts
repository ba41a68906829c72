import { randomInt } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { startEmbedded } from "@/db/embedded";
import { migrate } from "@/db/migrate";
import { runProperty } from "@/testing/properties/run-commands";
import { openPropertyDb } from "@/testing/properties/world";

const DEFAULT_COMMANDS = 1_000_000;
const MAX_SEED = 2 ** 31;

/** `npm run property -- [--commands 1000000] [--seed N] [--path P] [--unshrunk]`: runs the property test. */
async function main(): Promise<void> {
  const text = { type: "string" } as const;
  const { values } = parseArgs({ options: { commands: text, seed: text, path: text, unshrunk: { type: "boolean" } } });
  const commands = readNumber("--commands", values.commands) ?? DEFAULT_COMMANDS;
  const seed = readNumber("--seed", values.seed) ?? randomInt(MAX_SEED);
  const folder = await mkdtemp(path.join(tmpdir(), "stablegate-property-"));
  const server = await startEmbedded({
    dataDir: path.join(folder, "data"),
    port: 0,
    password: "property",
    isPersistent: false,
    settings: { fsync: "off", synchronous_commit: "off", full_page_writes: "off" },
  });
  try {
    const url = server.databaseUrl("postgres");
    await migrate(url);
    const property = openPropertyDb(url);
    report(`seed ${seed}, ${commands} commands`);
    await runProperty(property, { seed, commands, path: values.path, isUnshrunk: values.unshrunk, report }).finally(
      property.close,
    );
    report(`${commands} commands broke no invariant`);
  } finally {
    await server.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}

function readNumber(flag: string, given: string | undefined): number | null {
  if (given === undefined) return null;
  if (/^\d+$/.test(given)) return Number(given);
  throw new Error(`${flag} must be a whole number; got "${given}"`);
}

function report(line: string): void {
  console.log(line);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
