import { existsSync } from "node:fs";
import { MEMORY } from "./machine/memory.mjs";
import { start } from "./machine/processes.mjs";
import { inRoot, NODE, projectEnv } from "./machine/toolchain.mjs";

/** Programs that only read and write rows are not given the owner of the tables, also where .env names it. */
const READS_ROWS = new Set(["web", "worker"]);
const NO_OWNER = { DATABASE_OWNER_URL: "", DATABASE_OWNER_URL_FILE: "" };

/** Starts a built program on this project's Node, with the settings of `.env` under those of the environment. */
export function startRole(name, args = []) {
  const env = projectEnv({ NODE_ENV: process.env.NODE_ENV ?? "production", ...(READS_ROWS.has(name) && NO_OWNER) });
  return start(NODE, [...envFile(), ...MEMORY, "--enable-source-maps", inRoot(".build", `${name}.js`), ...args], {
    env,
    isService: true,
  });
}

/** Node's words about a missing file would only be noise. */
export function envFile() {
  return existsSync(inRoot(".env")) ? ["--env-file=.env"] : [];
}
