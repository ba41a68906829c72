import { install } from "./machine/install.mjs";
import { start } from "./machine/processes.mjs";
import { inRoot, main, NODE, projectEnv } from "./machine/toolchain.mjs";

// Pages that change as their files do, beside the running sandbox.
await main(async () => {
  await install();
  const env = projectEnv({ NODE_ENV: "development", NEXT_TELEMETRY_DISABLED: "1" });
  return (await start(NODE, ["--import", "tsx", inRoot("sandbox", "dev.ts")], { env, isService: true }).ended).code;
});
