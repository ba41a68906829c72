import { expect, test } from "vitest";
import { judgeHealth } from "@/components/dashboard/network-panel";

const now = new Date("2026-03-01T10:00:00Z");
const ago = (seconds: number) => new Date(now.getTime() - seconds * 1000);
const live = { network: "bsc", height: 100, blockTime: ago(2), headHeight: 102, heardAt: ago(1), problem: null };

test("a network is told apart that is live, behind, silent, in trouble or not watched", () => {
  const judge = (changes: Partial<typeof live>) => judgeHealth({ ...live, ...changes }, now).text;
  expect(judge({})).toBe("Live, 2 behind");
  expect(judge({ height: 102 })).toBe("Live");
  expect(judge({ headHeight: 1_400 })).toBe("1,300 blocks behind");
  expect(judge({ heardAt: ago(61) })).toBe("Silent");
  expect(judgeHealth({ ...live, problem: "wrong chain" }, now).text).toBe("Problem");
  expect(judgeHealth({ ...live, heardAt: null }, now).text).toBe("Not watched yet");
});
