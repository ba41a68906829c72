import type { FailoverReport } from "@/chaos/failover/run-failover";

const MAX_DETAILS = 40;

/** Returns a human-readable report: the counts and, if something is wrong, details for finding the cause. */
export function describeFailover(report: FailoverReport): string {
  const { lost, double, refused, complaints } = report;
  const requests = Object.values(refused).reduce((sum, count) => sum + count, 0);
  const lines = [
    `acknowledged ${report.acknowledged} (${report.before} before the primary died), refused during the switch ${requests}, settled ${report.settled}, callbacks ${report.deliveries} received`,
    ...Object.entries(refused).map(([why, count]) => `  refused ${count}: ${why}`),
    `lost ${lost.length}, double ${double.length}, processes that ended ${report.ended}, the open page was ${report.isPageUpdated ? "" : "not "}updated`,
  ];
  if (isSafe(report)) return lines.join("\n");
  const details = [...lost.slice(0, MAX_DETAILS), ...double.slice(0, MAX_DETAILS)].map((text) => `  ${text}`);
  return [...lines, ...details, ...complaints.map((line) => `  ${line.slice(0, 400)}`)].join("\n");
}

export function isSafe({ lost, double, ended, isPageUpdated }: FailoverReport): boolean {
  return lost.length + double.length + ended === 0 && isPageUpdated;
}
