import { build } from "./build.mjs";
import { install } from "./machine/install.mjs";
import { main, print } from "./machine/toolchain.mjs";
import { logAs, readSettings, startRole } from "./roles.mjs";

// Starts everything with one command: the live service if a live-mode setting is present, otherwise the sandbox.
await main(async () => {
  logFromTheBeginning();
  await install();
  await build();
  const mode = askMode();
  if (mode === "sandbox") return (await startRole("sandbox").ended).code;
  if (mode === "live-with-server")
    print("Live mode: migrating the database, then starting the web process and the worker.");
  return (await startRole("live").ended).code;
});

/**
 * Returns the mode. Any setting that only live mode has selects live mode, even if other settings are missing. Without DATABASE_URL, live
 * mode runs on the embedded PostgreSQL. PUBLIC_URL does not count, because shells often set it for other programs.
 */
function askMode() {
  const settings = readSettings();
  const has = (name) => settings[name]?.trim();
  if (has("DATABASE_URL") || has("DATABASE_URL_FILE")) return "live-with-server";
  const isLive = Object.keys(settings).some(
    (name) => /^(?:APP_SECRET|APP_SECRET_FILE|[A-Z0-9_]+_RPC_URLS)$/.test(name) && has(name),
  );
  return isLive ? "live" : "sandbox";
}

/**
 * Starts the log of live mode before any other output. Node before 20.6 cannot read `.env`. If the project's own Node is not installed
 * yet, output is therefore plain text until the programs start.
 */
function logFromTheBeginning() {
  try {
    if (askMode() !== "sandbox") logAs("live");
  } catch {
    // It is asked again once everything is installed.
  }
}
