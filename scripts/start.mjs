import { execFileSync } from "node:child_process";
import { build } from "./build.mjs";
import { install } from "./machine/install.mjs";
import { isStopping } from "./machine/processes.mjs";
import { Halt, main, NODE, ROOT, say } from "./machine/toolchain.mjs";
import { envFile, startRole } from "./roles.mjs";

// Everything with one command: the sandbox, or, where a database is configured, the real service.
await main(async () => {
  await install();
  await build();
  return isLive() ? startLive() : (await startRole("sandbox").ended).code;
});

/** Somebody who set a database or a secret means the real service, also when the rest is still missing. */
function isLive() {
  const question = "process.stdout.write(process.env.DATABASE_URL || process.env.APP_SECRET ? 'live' : '')";
  return execFileSync(NODE, [...envFile(), "-e", question], { cwd: ROOT, encoding: "utf8" }) === "live";
}

async function startLive() {
  say("Live mode: migrating the database, then the web process and the worker start.");
  const migrated = await startRole("migrate", ["--all-settings"]).ended;
  if (migrated.code !== 0) return migrated.code;
  const roles = ["web", "worker"].map((name) => ({ name, ...startRole(name) }));
  const first = await Promise.race(roles.map(async ({ name, ended }) => ({ name, ...(await ended) })));
  const wasAsked = isStopping();
  await Promise.all(roles.map((role) => role.stop()));
  if (wasAsked) return first.code;
  throw new Halt(
    `The ${first.name} process ended by itself (exit code ${first.code}; its last words are above), so the other one was stopped too.`,
    first.code || 1,
  );
}
