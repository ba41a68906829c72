import { randomInt } from "node:crypto";
import { expect, test } from "vitest";
import { runChaos } from "@/chaos/run-chaos";
import { describeReport } from "@/chaos/verifier/describe-report";

/**
 * A small number of rounds that still includes each kind of fault: a kill, a restart of the database, an endpoint that is swapped and
 * swapped back.
 */
const ROUNDS = 8;

test("the ledger matches the chains, and each paid order is reported once, through reorgs, faulty endpoints, kills and database restarts", async () => {
  const seed = randomInt(2 ** 31);
  console.log(`seed ${seed}`);
  const report = await runChaos({ seed, goesOn: (round) => round < ROUNDS, print: () => {} });
  const { lost, double, misdirected, invalid } = report.verdict;
  console.log(describeReport(report));
  expect({ lost, double, misdirected, invalid }, describeReport(report)).toEqual({
    lost: [],
    double: [],
    misdirected: [],
    invalid: [],
  });
  expect(report.verdict.transfers).toBeGreaterThan(0);
  for (const state of ["asleep", "awake", "drowsy"] as const) expect(report.states[state]).toBeGreaterThan(0);
}, 400_000);
