import { CHECK_STEPS } from "./check-steps.mjs";
import { install } from "./machine/install.mjs";
import { run } from "./machine/processes.mjs";
import { inRoot, main, NODE, say } from "./machine/toolchain.mjs";

// Everything about the code that needs neither a database nor a browser.
await main(async () => {
  await install();
  let failed = 0;
  for (const { name, problem } of CHECK_STEPS) {
    const words = await problem();
    say(words === null ? `✓ ${name}` : `✗ ${name}\n${words.replace(/^/gm, "    ")}`);
    if (words !== null) failed++;
  }
  const tests = await run(NODE, [inRoot("node_modules", "vitest", "vitest.mjs"), "run", "--project", "unit"]);
  return failed > 0 || tests !== 0 ? 1 : 0;
});
