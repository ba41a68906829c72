import { start } from "./processes.mjs";
import { inRoot, NODE, projectEnv } from "./toolchain.mjs";

/** Starts a built program on this project's Node, with the settings of `.env` under those of the environment. */
export function startRole(name, args = []) {
  const flags = ["--env-file-if-exists=.env", "--enable-source-maps"];
  const env = projectEnv({ NODE_ENV: process.env.NODE_ENV ?? "production" });
  return start(NODE, [...flags, inRoot(".build", `${name}.js`), ...args], { env });
}
