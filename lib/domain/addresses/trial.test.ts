import { expect, test } from "vitest";
import { findTrial, nextTrialLook, type TrialTransfer } from "@/lib/domain/addresses/trial";

const sides = { receiver: "0xr", treasury: "0xt" };
const move = (from: string, to: string, blockHeight: number, token = "usdt"): TrialTransfer => ({
  txId: `${from}${to}${blockHeight}`,
  position: "0",
  token,
  from,
  to,
  baseUnits: "1",
  blockHeight,
  blockHash: "0x1",
  blockTime: "2026-01-01T00:00:00.000Z",
});
const received = move("0xa", "0xr", 5);
const swept = move("0xr", "0xt", 7);

test.each<[string, TrialTransfer[], ReturnType<typeof findTrial>]>([
  ["nothing", [], { arrival: null, sweep: null }],
  ["what came", [received], { arrival: received, sweep: null }],
  ["both, in any order", [swept, received], { arrival: received, sweep: swept }],
  ["a sweep before what came", [move("0xr", "0xt", 4), received], { arrival: received, sweep: null }],
  ["another token's sweep", [received, move("0xr", "0xt", 7, "usdc")], { arrival: received, sweep: null }],
  ["another sender's payment to the treasury", [received, move("0xa", "0xt", 7)], { arrival: received, sweep: null }],
  ["the receiver's to another", [received, move("0xr", "0xx", 7)], { arrival: received, sweep: null }],
  [
    "a token that stays beside one that was swept",
    [move("0xa", "0xr", 4, "usdc"), received, swept],
    { arrival: received, sweep: swept },
  ],
])("a trial is found from %s", (_what, moves, found) => {
  expect(findTrial(moves, sides)).toEqual(found);
});

test("a trial is checked less and less often, and not after three days", () => {
  const asked = new Date("2026-01-01T00:00:00Z");
  const waits = [0, 60, 600, 3_600, 86_400, 3 * 86_400].map((seconds) => {
    const now = new Date(asked.getTime() + seconds * 1_000);
    const next = nextTrialLook(asked, now);
    return next && (next.getTime() - now.getTime()) / 1_000;
  });
  expect(waits).toEqual([5, 5, 30, 180, 600, null]);
});
