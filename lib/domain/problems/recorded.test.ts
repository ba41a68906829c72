import { expect, test } from "vitest";
import { inEnglish } from "@/lib/domain/problems/in-english";
import { problem } from "@/lib/domain/problems/problem";
import { readRecordedProblem, recordProblem } from "@/lib/domain/problems/recorded";

test("a recorded problem is read with its code and parameters, nested ones included", () => {
  const reason = problem("outbound_connect_timeout", { seconds: 5 });
  const nested = problem("test_unanswered", { milliseconds: 5_001, reason });
  expect(readRecordedProblem(recordProblem(nested))).toEqual(nested);
  expect(recordProblem(reason)).toBe('{"code":"outbound_connect_timeout","params":{"seconds":5}}');
});

test("control characters and lone surrogates are escaped, because PostgreSQL refuses them in a text", () => {
  const text = recordProblem(problem("recorded_text", { text: "a\u0000b\ud800" }));
  expect(text.isWellFormed()).toBe(true);
  expect(text).not.toContain("\u0000");
});

test.each([
  "the connection was refused",
  "",
  "null",
  '{"code":"outbound_timeout"}',
  '{"code":"of_a_later_release","params":{}}',
  '{"code":"test_unsigned","params":{"reason":{"code":"of_a_later_release","params":{}}}}',
  '{"code":"test_unsigned","params":{"reason":true}}',
  '{"code":"toString","params":{}}',
])("a text that is no problem of this release is shown as it is: %s", (text) => {
  const read = readRecordedProblem(text);
  expect(read.code).toBe("recorded_text");
  expect(inEnglish(read)).toBe(text);
});
