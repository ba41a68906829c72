import { readFile, rm } from "node:fs/promises";
import { stripVTControlCharacters } from "node:util";
import { run } from "./machine/processes.mjs";
import { Halt, inRoot, NODE, projectEnv } from "./machine/toolchain.mjs";

const SUITE_NAMES = ["static", "unit", "integration", "browser"];

/**
 * @typedef {{ name: string, passed: number, failed: number, problems: string[] }} SuiteResult
 */

/**
 * Reads `--only static,unit`: the names of the suites to run, all without it.
 * @param {string[]} args @returns {Set<string>} @throws Halt
 */
export function readSelection(args) {
  if (args.length === 0) return new Set(SUITE_NAMES);
  const [option, list = "", ...rest] = args;
  const names = list.split(",").filter(Boolean);
  const unknown = names.filter((name) => !SUITE_NAMES.includes(name));
  if (option !== "--only" || rest.length > 0 || names.length === 0 || unknown.length > 0)
    throw new Halt(`usage: npm test [-- --only ${SUITE_NAMES.join(",")}]; got "${args.join(" ")}"`);
  return new Set(names);
}

/** Runs one vitest project. @returns {Promise<SuiteResult>} */
export async function runVitest(project) {
  const report = inRoot("test-results", "reports", `${project}.json`);
  await rm(report, { force: true });
  const args = ["run", "--project", project, "--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const code = await run(NODE, [inRoot("node_modules", "vitest", "vitest.mjs"), ...args]);
  return outcome(`${project} tests`, code, await readReport(report, readVitest));
}

/** Runs the browser tests. @returns {Promise<SuiteResult>} */
export async function runPlaywright(chromiumPath) {
  const report = inRoot("test-results", "reports", "browser.json");
  await rm(report, { force: true });
  const env = projectEnv({ CHROMIUM_PATH: chromiumPath, PLAYWRIGHT_JSON_OUTPUT_FILE: report });
  const args = ["test", "--reporter=list,json"];
  const code = await run(NODE, [inRoot("node_modules", "@playwright", "test", "cli.js"), ...args], { env });
  return outcome("browser tests", code, await readReport(report, readPlaywright));
}

/** Returns the outcome of a suite. A runner that crashed, printed no result or ran no test counts as one failure. */
export function outcome(name, code, result) {
  if (!result)
    return { name, passed: 0, failed: 1, problems: [`the runner ended with exit code ${code} and without a report`] };
  if (result.passed + result.failed === 0) {
    return { name, passed: 0, failed: 1, problems: [...result.problems, "no test ran"] };
  }
  if (code !== 0 && result.failed === 0) {
    return { ...result, name, failed: 1, problems: [...result.problems, `the runner ended with exit code ${code}`] };
  }
  return { ...result, name };
}

/** Returns the counts of a vitest JSON report; a file that could not be loaded counts as one failure. */
export function readVitest(report) {
  const files = report.testResults;
  const tests = files.flatMap((file) => file.assertionResults);
  const broken = files.filter((file) => file.status === "failed" && !file.assertionResults.some(isFailed));
  return {
    passed: tests.filter((test) => test.status === "passed").length,
    failed: tests.filter(isFailed).length + broken.length,
    problems: [
      ...tests.filter(isFailed).map((test) => describeFailure(test.fullName, test.failureMessages)),
      ...broken.map((file) => describeFailure(file.name, [file.message])),
    ],
  };
}

const isFailed = (test) => test.status === "failed";

/** Returns the name of a failed test and, on the lines after it, its error messages without the libraries' stack frames. */
function describeFailure(name, messages) {
  const lines = [name, ...messages.filter(Boolean)].join("\n").split("\n");
  return stripVTControlCharacters(lines.filter((line) => !/^\s+at .*\/node_modules\//.test(line)).join("\n"));
}

/** Returns the counts of a Playwright JSON report; flaky and interrupted tests count as failed. */
export function readPlaywright(report) {
  const specs = report.suites.flatMap(specsOf);
  const outcome = (spec) => spec.tests.map((test) => test.status);
  const failed = specs.filter((spec) => outcome(spec).some((status) => status === "unexpected" || status === "flaky"));
  return {
    passed: specs.filter((spec) => outcome(spec).every((status) => status === "expected")).length,
    failed: failed.length + report.errors.length,
    problems: [
      ...failed.map((spec) => describeFailure(spec.title, spec.tests.flatMap(errorsOf))),
      ...report.errors.map(({ message }) => describeFailure(message ?? "an error outside of tests", [])),
    ],
  };
}

function errorsOf(test) {
  return test.results.flatMap((result) => result.errors).map((error) => error.message);
}

function specsOf(suite) {
  return [...(suite.specs ?? []), ...(suite.suites ?? []).flatMap(specsOf)];
}

async function readReport(file, read) {
  try {
    return read(JSON.parse(await readFile(file, "utf8")));
  } catch {
    return null;
  }
}
