import { type ChaosReport, isFine } from "@/chaos/run-chaos";

const MOST_DETAILS = 40;
const MOST_COMPLAINTS = 30;

/** A report for people: the counts, and when something is wrong all that helps to find out why. */
export function describeReport(report: ChaosReport): string {
  const { counts, verdict, seed, rounds } = report;
  const lines = [
    `transfers ${verdict.transfers} in ${counts.transactions} transactions, orders ${counts.orders} (paid ${verdict.paidOrders}, refused ${counts.refusedOrders}), callbacks ${counts.deliveries} received`,
    `reorgs ${counts.reorgs} (${counts.replacedBlocks} blocks), faults ${counts.faults} (${counts.faultedRequests} of ${counts.requests} requests), kills ${counts.kills}, database restarts ${counts.databaseRestarts}`,
    `lost ${verdict.lost.length}, double ${verdict.double.length}, wrong ${verdict.wrong.length}`,
  ];
  if (isFine(verdict)) return lines.join("\n");
  const details = (["lost", "double", "wrong"] as const).flatMap((kind) =>
    verdict[kind].slice(0, MOST_DETAILS).map((words) => `  ${kind}: ${words}`),
  );
  const complaints = report.complaints.slice(-MOST_COMPLAINTS).map((line) => `  worker: ${line.slice(0, 400)}`);
  return [...lines, ...details, ...complaints, `Once more: npm run chaos -- --seed ${seed} --rounds ${rounds}`].join(
    "\n",
  );
}
