import { build } from "./build.mjs";
import { runChecks } from "./check-steps.mjs";
import { findOrGetChromium } from "./machine/chromium.mjs";
import { install } from "./machine/install.mjs";
import { isStopping } from "./machine/processes.mjs";
import { Halt, main, say } from "./machine/toolchain.mjs";
import { runPlaywright, runVitest } from "./suites.mjs";

// Every check and every test; the last line is always "N passed, M failed".
await main(async () => {
  const results = [];
  for (const suite of [
    prepare,
    check,
    () => runVitest("unit"),
    () => runVitest("integration"),
    () => runVitest("integration-alone"),
    browser,
  ]) {
    if (isStopping()) break;
    results.push(await suite());
    if (suite === prepare && results[0].failed > 0) break;
  }
  return summarise(results);
});

async function prepare() {
  return attempt("installed and built", async () => {
    await install();
    await build();
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
    const words = error instanceof Halt ? error.message : String(error?.stack ?? error);
    say(words);
    return { name, passed: 0, failed: 1, problems: [words] };
  }
}

function summarise(results) {
  say("");
  for (const { name, passed, failed, problems } of results) {
    say(`${failed > 0 ? "✗" : "✓"} ${name}: ${passed} passed, ${failed} failed`);
    for (const problem of problems) say(`    ${problem.split("\n")[0]}`);
  }
  const sum = (count) => results.reduce((total, result) => total + result[count], 0);
  say(`\n${sum("passed")} passed, ${sum("failed")} failed`);
  return sum("failed") > 0 ? 1 : 0;
}
