import { expect, test } from "vitest";
import { type DoneSteps, listFirstSteps } from "@/lib/domain/onboarding/first-steps";

const NOTHING: DoneSteps = {
  hasAddress: false,
  hasContact: false,
  hasKey: false,
  hasPlugin: false,
  hasOrder: false,
  hasPaidOrder: false,
  hasAnsweredCallback: false,
  settled: [],
};
const OWNER = { hasFactor: false, isOperator: false };
const openOf = (done: Partial<DoneSteps>, viewer = OWNER) =>
  listFirstSteps({ ...NOTHING, ...done }, viewer).flatMap(({ name, isDone }) => (isDone ? [] : [name]));

test("a new shop has all steps open; only the operator is asked for a backup", () => {
  expect(openOf({})).toEqual(["ways", "contact", "connect", "test", "callback", "factor"]);
  expect(openOf({}, { ...OWNER, isOperator: true }).at(-1)).toBe("backup");
});

test.each<keyof DoneSteps>(["hasKey", "hasPlugin", "hasOrder"])("%s: the shop is connected", (way) => {
  expect(openOf({ [way]: true })).not.toContain("connect");
});

test("steps that the service cannot detect are done when a user says so", () => {
  const settled = ["callback", "factor", "backup"];
  expect(openOf({ settled }, { ...OWNER, isOperator: true })).toEqual(["ways", "contact", "connect", "test"]);
});

test("a second factor of the viewer and an answered callback are detected", () => {
  expect(openOf({ hasAnsweredCallback: true }, { ...OWNER, hasFactor: true })).toEqual([
    "ways",
    "contact",
    "connect",
    "test",
  ]);
});
