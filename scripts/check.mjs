import { runChecks } from "./check-steps.mjs";
import { install } from "./machine/install.mjs";
import { run } from "./machine/processes.mjs";
import { inRoot, main, NODE } from "./machine/toolchain.mjs";

// Runs all checks that need neither a database nor a browser.
await main(async () => {
  await install();
  const { problems } = await runChecks();
  const tests = await run(NODE, [inRoot("node_modules", "vitest", "vitest.mjs"), "run", "--project", "unit"]);
  return problems.length > 0 || tests !== 0 ? 1 : 0;
});
