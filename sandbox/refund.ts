import path from "node:path";
import { inspect, parseArgs } from "node:util";
import { openDb } from "@/db/client";
import { EnvError, readNetworks } from "@/lib/config/env";
import { formatMicro } from "@/lib/domain/money";
import { installNetworks, networkTitle } from "@/lib/domain/networks";
import { claimUrl } from "@/lib/domain/refunds/refund-wire";
import { dataFolder, readAnnouncement } from "@/sandbox/announcement";
import { readSecrets, SECRETS_FILE } from "@/sandbox/launcher/data-dir";
import { PayProblem } from "@/sandbox/wallets/pay-order";
import { type PlayedStep, playRefund, type RefundPlay } from "@/sandbox/wallets/play-refund";

const USAGE = "npm run refund -- TRADE_ID [--amount 1.23] [--network bsc]";

async function main(): Promise<void> {
  installNetworks(readNetworks(process.env).networks);
  const play = readArguments(process.argv.slice(2));
  const folder = dataFolder(process.env);
  const sandbox = await readAnnouncement(folder);
  if (!sandbox) throw new PayProblem(`No sandbox is running on ${folder}. Start it with npm start in another terminal`);
  const { appSecret } = await readSecrets(path.join(folder, SECRETS_FILE));
  const pool = openDb(sandbox.database_url, { work: "pages", max: 1, applicationName: "stablegate-refund" });
  try {
    const ctx = {
      publicUrl: sandbox.base_url,
      appSecret,
      rpcUrl: (id: string) => sandbox.networks[id]?.rpc_url,
      now: () => new Date(),
      report: (step: PlayedStep) => print(describeStep(step)),
    };
    const { id } = await playRefund(pool.db, ctx, play);
    print("The refund is completed when the transfer is final. Claim page and back office:");
    print(`  ${claimUrl(sandbox.base_url, id)}`);
    print(`  ${sandbox.dashboard_url}/refunds/${id}`);
  } finally {
    await pool.close();
  }
}

function readArguments(args: readonly string[]): RefundPlay {
  const text = { type: "string" } as const;
  try {
    const options = { amount: text, network: text };
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options });
    const [tradeId, ...more] = positionals;
    if (!tradeId) throw new PayProblem("The trade_id of the order is missing.");
    if (more.length > 0) throw new PayProblem(`Only one order at a time; also got "${more.join(" ")}".`);
    return { tradeId, ...values };
  } catch (error) {
    throw new PayProblem(`${error instanceof Error ? error.message : error}\n  ${USAGE}`);
  }
}

function describeStep(step: PlayedStep): string {
  switch (step.step) {
    case "requested":
      return `Merchant: requested a refund of ${formatMicro(step.refund.microUnits)} ${step.refund.currency}`;
    case "continued":
      return `Continuing the refund of ${formatMicro(step.refund.microUnits)} ${step.refund.currency} (${step.refund.status})`;
    case "claimed":
      return `Customer: claimed it on ${networkTitle(step.network)} for ${step.address}`;
    case "approved":
      return "Merchant: approved the claim";
    case "sent":
      return `Merchant: sent transaction ${step.txId}`;
  }
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function describeError(error: unknown): string {
  if (error instanceof PayProblem || error instanceof EnvError) return error.message;
  const text = inspect(error);
  if (!text.includes("ECONNREFUSED")) return text;
  return "The sandbox no longer responds. Start it again with npm start in another terminal";
}

main().catch((error: unknown) => {
  process.stderr.write(`${describeError(error)}\n`);
  process.exitCode = 1;
});
