import { type ChaosReport, isFine } from "@/chaos/run-chaos";

const MAX_DETAILS = 40;
const MAX_FINDINGS_SHOWN = 30;

/** Returns a human-readable report: the counts and, if something is wrong, all details that help to find the cause. */
export function describeReport(report: ChaosReport): string {
  const { counts, states, verdict, seed, rounds, solana } = report;
  const lines = [
    `transfers ${verdict.transfers} final in ${counts.transactions} transactions sent, ${verdict.unmatched} ledger rows are unmatched`,
    `of Solana by version: ${list(verdict.versions)}; ${verdict.unreadable} transactions cannot be read and await the operator; noise: ${list(counts.noises)}`,
    `orders ${counts.orders} (${list(verdict.outcomes)}), rejected ${counts.refusedOrders}, callbacks ${counts.deliveries} received for ${verdict.events} events`,
    `addresses of orders: ${list(verdict.sources)}, ${verdict.served} of them used before; addresses emptied: ${list(counts.sweeps)}; ${verdict.sweeps} final sweeps to addresses of the same merchant`,
    `cancellations: ${list(counts.cancellations)}; false block times: ${list(counts.falseTimes)}`,
    `refunds: ${list(verdict.refunds)}; ${verdict.refundsToReceivers} completed by a transfer to a receiving address of another merchant, ${verdict.refundsUndone} undone by a reorg; ${list(counts.refunds)}`,
    `reorgs and forks ${counts.reorgs} (${counts.replacedBlocks} blocks: ${list(counts.replacedBy)}), changes of block time ${counts.paceChanges}, halts: ${list(counts.standstills)}, closed networks: ${list(counts.closings)}; kills ${counts.kills}, freezes ${counts.freezes}, database restarts ${counts.databaseRestarts}, outages with one worker ${counts.databaseOutages}, restores ${counts.restores} (${counts.lostOrders} orders lost)`,
    `faults ${counts.faults} (${counts.faultedRequests} of ${counts.requests} requests): ${list(counts.faultKinds)}`,
    `networks watched: dormant ${states.asleep}, active ${states.awake}, idle ${states.drowsy}; each dormant network received an unexpected payment, and again at the end`,
    `lost ${verdict.lost.length}, double ${verdict.double.length}, misdirected ${verdict.misdirected.length}, defects ${verdict.invalid.length}`,
    `To repeat: npm run chaos -- --seed ${seed} --rounds ${rounds} --solana ${solana}`,
  ];
  if (isFine(verdict)) return lines.join("\n");
  const details = (["lost", "double", "misdirected", "invalid"] as const).flatMap((kind) =>
    verdict[kind].slice(0, MAX_DETAILS).map((text) => `  ${kind}: ${text}`),
  );
  const complaints = report.complaints.slice(-MAX_FINDINGS_SHOWN).map((line) => `  worker: ${line.slice(0, 400)}`);
  return [...lines, ...details, ...complaints].join("\n");
}

function list(counts: Readonly<Record<string, number>>): string {
  const entries = Object.entries(counts).sort(([, left], [, right]) => right - left);
  return entries.map(([name, count]) => `${name} ${count}`).join(", ");
}
