import { readFileSync } from "node:fs";
import { beforeAll, expect, test } from "vitest";
import { parse } from "yaml";
import { ALERT_LIMITS } from "@/lib/domain/operating/conditions";
import { capture } from "@/scripts/machine/processes.mjs";
import { findOrGetPromtool } from "@/scripts/machine/promtool.mjs";

const RULES = "deploy/prometheus/alerts.yml";
const TESTS = "deploy/prometheus/alerts.test.yml";
const DOWNLOAD_MS = 300_000;
let promtool = "";

interface Rule {
  alert: string;
  expr: string;
  for: string;
}
const rules: Rule[] = parse(readFileSync(RULES, "utf8")).groups.flatMap((group: { rules: Rule[] }) => group.rules);

beforeAll(async () => {
  promtool = await findOrGetPromtool();
}, DOWNLOAD_MS);

test(
  "Prometheus accepts the rules, and they fire and resolve in simulated outages",
  async () => {
    const checked = await capture(promtool, ["check", "rules", RULES]);
    expect(checked.output).toContain(`${rules.length} rules found`);
    expect(checked.code, checked.output).toBe(0);
    const tested = await capture(promtool, ["test", "rules", TESTS]);
    expect(tested.code, tested.output).toBe(0);
    expect(tested.output).toContain("SUCCESS");
  },
  DOWNLOAD_MS,
);

test("every rule has a test in which it fires", () => {
  const cases = parse(readFileSync(TESTS, "utf8")).tests.flatMap(
    (one: { alert_rule_test: { alertname: string; exp_alerts: object[] }[] }) => one.alert_rule_test,
  );
  const fired = new Set(
    cases.flatMap((one: { alertname: string; exp_alerts: object[] }) =>
      one.exp_alerts.length > 0 ? one.alertname : [],
    ),
  );
  expect([...fired].sort()).toEqual(rules.map(({ alert }) => alert).sort());
});

test("rules have the limits of the built-in alerts", () => {
  const limits: [alert: string, limit: RegExp, forMs: number][] = [
    [
      "StablegatePaymentsStopped",
      new RegExp(`>= ${ALERT_LIMITS.paymentsStopped.expectedPayments}$`),
      ALERT_LIMITS.paymentsStopped.forMs,
    ],
    ["StablegateNetworkUnwatched", /== 0 unless/, ALERT_LIMITS.networkUnread.forMs],
    [
      "StablegateNetworkBehind",
      new RegExp(`> ${ALERT_LIMITS.networkBehind.seconds} `),
      ALERT_LIMITS.networkBehind.forMs,
    ],
    [
      "StablegateMerchantCallbacksFailing",
      new RegExp(`>= ${ALERT_LIMITS.callbacksFailing.count}$`),
      ALERT_LIMITS.callbacksFailing.forMs,
    ],
    ["StablegateDumpOld", new RegExp(`> ${ALERT_LIMITS.dumpOld.seconds}$`), ALERT_LIMITS.dumpOld.forMs],
    ["StablegateDiskFull", new RegExp(`< ${ALERT_LIMITS.diskFull.freeShare}$`), ALERT_LIMITS.diskFull.forMs],
    [
      "StablegateCertificateExpires",
      new RegExp(`< ${ALERT_LIMITS.certificateExpires.days} \\* 86400$`),
      ALERT_LIMITS.certificateExpires.forMs,
    ],
  ];
  expect(limits).toHaveLength(Object.keys(ALERT_LIMITS).length);
  for (const [alert, limit, forMs] of limits) {
    const rule = rules.find((one) => one.alert === alert);
    expect(rule?.expr, alert).toMatch(limit);
    expect(rule?.for, alert).toBe(`${forMs / 60_000}m`);
  }
});
