import { existsSync } from "node:fs";
import { MEMORY } from "./machine/memory.mjs";
import { start } from "./machine/processes.mjs";
import { inRoot, NODE, projectEnv } from "./machine/toolchain.mjs";

/** Starts a built program on this project's Node, with the settings of `.env` under those of the environment. */
export function startRole(name, args = []) {
  const env = projectEnv({ NODE_ENV: process.env.NODE_ENV ?? "production" });
  return start(NODE, [...envFile(), ...MEMORY, "--enable-source-maps", inRoot(".build", `${name}.js`), ...args], {
    env,
    isService: true,
  });
}

/** Node's words about a missing file would only be noise. */
export function envFile() {
  return existsSync(inRoot(".env")) ? ["--env-file=.env"] : [];
}
