import { install } from "./machine/install.mjs";
import { start } from "./machine/processes.mjs";
import { inRoot, main, NODE, projectEnv } from "./machine/toolchain.mjs";

// Runs a developer's web process beside the running sandbox: back office, API and payment page reload when their files change.
await main(async () => {
  await install();
  const env = projectEnv({ NODE_ENV: "development", NEXT_TELEMETRY_DISABLED: "1" });
  return (await start(NODE, ["--import", "tsx", inRoot("sandbox", "dev", "main.ts")], { env, isService: true }).ended)
    .code;
});
