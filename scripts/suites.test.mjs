import { expect, test } from "vitest";
import { outcome, readPlaywright, readSelection, readVitest } from "./suites.mjs";

const assertion = (status, fullName = "a promise", failureMessages = []) => ({ status, fullName, failureMessages });
const spec = (title, ...statuses) => ({ title, tests: statuses.map((status) => ({ status, results: [] })) });

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

test("a failed test is reported with its error messages, without their colours", () => {
  const failing = assertion("failed", "b breaks", [
    "\u001b[31mexpected 1\u001b[39m\n  at b.test.ts:3\n    at run (file:///a/node_modules/vitest/run.js:9)",
  ]);
  const files = [
    { name: "b.test.ts", status: "failed", assertionResults: [failing] },
    { name: "c.test.ts", status: "failed", assertionResults: [], message: "cannot find ./d" },
  ];
  expect(readVitest({ testResults: files }).problems).toEqual([
    "b breaks\nexpected 1\n  at b.test.ts:3",
    "c.test.ts\ncannot find ./d",
  ]);
  const tests = [{ status: "unexpected", results: [{ errors: [{ message: "\u001b[2mtimed out\u001b[22m" }] }] }];
  expect(readPlaywright({ errors: [], suites: [{ specs: [{ title: "bad", tests }] }] }).problems).toEqual([
    "bad\ntimed out",
  ]);
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
