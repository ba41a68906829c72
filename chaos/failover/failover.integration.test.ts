import { expect, test } from "vitest";
import { describeFailover } from "@/chaos/failover/describe-failover";
import { runFailover } from "@/chaos/failover/run-failover";

test("the primary is killed while orders are created and paid: acknowledged orders exist on the promoted standby, settled and reported once", async () => {
  const report = await runFailover({
    orders: 400,
    perSecond: 100,
    print: () => {},
  });
  console.log(describeFailover(report));
  const { lost, double, ended, isPageUpdated, acknowledged, settled } = report;
  expect({ lost, double, ended, isPageUpdated }, describeFailover(report)).toEqual({
    lost: [],
    double: [],
    ended: 0,
    isPageUpdated: true,
  });
  expect([acknowledged, settled]).toEqual([400, 400]);
  // The primary was killed during the run.
  expect(report.before).toBeLessThan(acknowledged);
  expect(Object.values(report.refused).length).toBeGreaterThan(0);
  expect(report.deliveries).toBeGreaterThanOrEqual(acknowledged);
}, 600_000);
