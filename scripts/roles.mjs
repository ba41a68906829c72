import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { takeOverOutput } from "../lib/output/log-lines.mjs";
import { MEMORY } from "./machine/memory.mjs";
import { start } from "./machine/processes.mjs";
import { inRoot, NODE, projectEnv, ROOT } from "./machine/toolchain.mjs";

/** The programs that only read and write rows. They do not receive the credentials of the tables' owner, even if .env contains them. */
const READS_ROWS = new Set(["web", "worker"]);
const NO_OWNER = { DATABASE_OWNER_URL: "", DATABASE_OWNER_URL_FILE: "" };
/** The module that stores compiled code, so that programs start faster. */
const COMPILE_CACHE = pathToFileURL(inRoot("scripts", "machine", "compile-cache.mjs")).href;

/** Starts a built program on this project's Node. The environment overrides the settings in `.env`. */
export function startRole(name, args = []) {
  const env = projectEnv({ NODE_ENV: process.env.NODE_ENV ?? "production", ...(READS_ROWS.has(name) && NO_OWNER) });
  const flags = [...envFile(), ...MEMORY, "--enable-source-maps", "--import", COMPILE_CACHE];
  return start(NODE, [...flags, inRoot(".build", `${name}.js`), ...args], {
    env,
    isService: true,
    role: name,
    hasLog: HAS_LOG.has(name),
  });
}

/** The programs that write a log: the long-running programs and migrate. All other programs print to the terminal. */
const HAS_LOG = new Set(["live", "web", "worker", "migrate"]);

/** Turns this script's own output into log lines if the program that it starts writes a log. */
export function logAs(name) {
  if (HAS_LOG.has(name)) takeOverOutput("start", readSettings(), Date.now);
}

/** Returns the settings in `.env`, overridden by the environment. */
export function readSettings() {
  const print = "process.stdout.write(JSON.stringify(process.env))";
  const options = { cwd: ROOT, encoding: "utf8" };
  return JSON.parse(execFileSync(existsSync(NODE) ? NODE : process.execPath, [...envFile(), "-e", print], options));
}

/** Returns the option that loads `.env`. Omits it if the file is missing, because Node would print a warning. */
function envFile() {
  return existsSync(inRoot(".env")) ? ["--env-file=.env"] : [];
}
