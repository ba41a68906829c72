import { expect, test } from "vitest";
import { outcome, readPlaywright, readSelection, readVitest } from "./suites.mjs";

const assertion = (status, fullName = "a promise") => ({ status, fullName });
const spec = (title, ...statuses) => ({ title, tests: statuses.map((status) => ({ status })) });

test("a runner without a report failed, even with exit code 0", () => {
  expect(outcome("unit", 0, null)).toMatchObject({ passed: 0, failed: 1 });
});

test("a suite in which not one test ran failed", () => {
  expect(outcome("unit", 0, { passed: 0, failed: 0, problems: [] })).toMatchObject({ passed: 0, failed: 1 });
});

test("a runner that ended badly after only good tests counts one failure", () => {
  expect(outcome("unit", 1, { passed: 9, failed: 0, problems: [] })).toMatchObject({ passed: 9, failed: 1 });
});

test("good tests and a good end are what they are", () => {
  expect(outcome("unit", 0, { passed: 9, failed: 0, problems: [] })).toEqual({
    name: "unit",
    passed: 9,
    failed: 0,
    problems: [],
  });
});

test("vitest: each test counts, and a file that could not be loaded counts as failed", () => {
  const report = {
    testResults: [
      { name: "a.test.ts", status: "passed", assertionResults: [assertion("passed"), assertion("passed")] },
      { name: "b.test.ts", status: "failed", assertionResults: [assertion("passed"), assertion("failed", "b breaks")] },
      { name: "c.test.ts", status: "failed", assertionResults: [] },
    ],
  };
  expect(readVitest(report)).toEqual({ passed: 3, failed: 2, problems: ["b breaks", "c.test.ts"] });
});

test("Playwright: tests in nested groups count, a flaky one failed, an error outside of tests too", () => {
  const report = {
    errors: [{ message: "the set-up broke" }],
    suites: [
      {
        specs: [spec("good", "expected"), spec("bad", "unexpected")],
        suites: [{ specs: [spec("both browsers", "expected", "expected"), spec("flaky", "flaky")] }],
      },
    ],
  };
  expect(readPlaywright(report)).toEqual({ passed: 2, failed: 3, problems: ["bad", "flaky", "the set-up broke"] });
});

test("without --only all suites run, with it the named ones", () => {
  expect([...readSelection([])]).toEqual(["static", "unit", "integration", "browser"]);
  expect([...readSelection(["--only", "unit,static"])]).toEqual(["unit", "static"]);
});

test("an unknown suite, an empty list and other arguments are refused", () => {
  for (const args of [["--only", "unit,lint"], ["--only"], ["unit"], ["--only", "unit", "browser"]])
    expect(() => readSelection(args), args.join(" ")).toThrow("usage: npm test");
});
