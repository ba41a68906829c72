import { build } from "./build.mjs";
import { runChecks } from "./check-steps.mjs";
import { findOrGetChromium } from "./machine/chromium.mjs";
import { install } from "./machine/install.mjs";
import { isStopping } from "./machine/processes.mjs";
import { Halt, main, print } from "./machine/toolchain.mjs";
import { readSelection, runPlaywright, runVitest } from "./suites.mjs";

/** The suites, in order. `isBuilt`: the suite starts built programs. */
const SUITES = [
  { name: "static", isBuilt: false, run: async () => [await check()] },
  { name: "unit", isBuilt: false, run: async () => [await runVitest("unit")] },
  {
    name: "integration",
    isBuilt: true,
    run: async () => [await runVitest("integration"), await runVitest("integration-alone")],
  },
  { name: "browser", isBuilt: true, run: async () => [await browser()] },
];

/** The maximum number of lines of a failure that the summary repeats. */
const PROBLEM_LINES = 15;

// Runs every check and every test; the last line is always "N passed, M failed".
await main(async () => {
  const selected = readSelection(process.argv.slice(2));
  const results = [await prepare(selected)];
  if (results[0].failed > 0) return summarise(results);
  for (const { name, run } of SUITES) {
    if (isStopping()) break;
    if (selected.has(name)) results.push(...(await run()));
  }
  return summarise(results);
});

async function prepare(selected) {
  const needsBuild = SUITES.some(({ name, isBuilt }) => isBuilt && selected.has(name));
  return attempt(needsBuild ? "installed and built" : "installed", async () => {
    await install();
    if (needsBuild) await build();
  });
}

async function check() {
  const { passed, problems } = await runChecks();
  return { name: "checks", passed, failed: problems.length, problems };
}

async function browser() {
  let chromium = "";
  const found = await attempt("Chromium", async () => {
    chromium = await findOrGetChromium();
  });
  return found.failed > 0 ? { ...found, name: "browser tests" } : runPlaywright(chromium);
}

async function attempt(name, work) {
  try {
    await work();
    return { name, passed: 1, failed: 0, problems: [] };
  } catch (error) {
    const message = error instanceof Halt ? error.message : String(error?.stack ?? error);
    print(message);
    return { name, passed: 0, failed: 1, problems: [message] };
  }
}

function summarise(results) {
  print("");
  for (const { name, passed, failed, problems } of results) {
    print(`${failed > 0 ? "✗" : "✓"} ${name}: ${passed} passed, ${failed} failed`);
    for (const problem of problems)
      print(problem.split("\n").slice(0, PROBLEM_LINES).join("\n").replace(/^/gm, "    "));
  }
  const sum = (count) => results.reduce((total, result) => total + result[count], 0);
  print(`\n${sum("passed")} passed, ${sum("failed")} failed`);
  return sum("failed") > 0 ? 1 : 0;
}
