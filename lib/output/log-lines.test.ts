import { expect, test } from "vitest";
import { createLines, logFormat } from "@/lib/output/log-lines.mjs";

const json = () => createLines({ format: "json", role: "web", level: 30, now: () => 7 });
const parse = (text: string) =>
  text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
const LINE = '{"level":40,"time":1785542400000,"role":"worker","network":"bsc","msg":"a node lags"}\n';

test("the format is LOG_FORMAT's, else text for a terminal and JSON for everything else", () => {
  expect([logFormat({}, true), logFormat({}, false)]).toEqual(["pretty", "json"]);
  expect([logFormat({ LOG_FORMAT: "json" }, true), logFormat({ LOG_FORMAT: "pretty" }, false)]).toEqual([
    "json",
    "pretty",
  ]);
});

test("JSON: log lines stay as they are, and everything else becomes one", () => {
  expect(json().write(LINE)).toBe(LINE);
  const mixed = parse(json().write(`\u001b[32mready\u001b[0m\n${LINE}{"half": \n{"level":"info"}\n`));
  expect(mixed).toMatchObject([
    { level: 30, role: "web", msg: "ready" },
    { level: 40, role: "worker" },
    { level: 30, role: "web", msg: '{"half": \n{"level":"info"}' },
  ]);
  expect(mixed[0].time).toBe(7);
});

test("JSON: output written at once is one message; partial lines wait for their end", () => {
  expect(parse(json().write("Error: no\n    at a\n    at b\n"))).toMatchObject([
    { msg: "Error: no\n    at a\n    at b" },
  ]);
  const lines = json();
  expect([lines.write("half "), lines.end()].map(parse)).toMatchObject([[], [{ msg: "half" }]]);
  expect(lines.write(LINE.slice(0, 20))).toBe("");
  expect(lines.write(LINE.slice(20))).toBe(LINE);
  expect(json().write("\n\n")).toBe("");
});

test("text: log lines are readable with their facts and stack traces, and text stays as it is", () => {
  const lines = createLines({ format: "pretty", role: "web", level: 30, now: () => 7 });
  expect(lines.write(LINE)).toBe("2026-08-01 00:00:00.000 WARN  worker a node lags network=bsc\n");
  const failed = {
    level: 50,
    time: 0,
    role: "web",
    err: { message: "no", stack: "Error: no\n    at a" },
    msg: "failed",
  };
  expect(lines.write(`${JSON.stringify(failed)}\n`)).toMatch(/ERROR web failed\nError: no\n {4}at a\n$/);
  expect(lines.write("Stablegate listens\n")).toBe("Stablegate listens\n");
});
