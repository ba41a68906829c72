import { inspect } from "node:util";
import { openDb } from "@/db/client";
import { EnvError, readNetworks } from "@/lib/config/env";
import { formatUnits } from "@/lib/domain/money";
import { getNetwork, getToken, installNetworks, networkTitle } from "@/lib/domain/networks";
import { tokenName } from "@/lib/domain/transfers/transfer";
import { type Announcement, dataFolder, readAnnouncement } from "@/sandbox/announcement";
import { readPayArguments } from "@/sandbox/wallets/pay-arguments";
import { type Payment, PayProblem, payOrder } from "@/sandbox/wallets/pay-order";

async function main(): Promise<void> {
  installNetworks(readNetworks(process.env).networks);
  const { tradeId, deviation } = readPayArguments(process.argv.slice(2));
  const folder = dataFolder(process.env);
  const sandbox = await readAnnouncement(folder);
  if (!sandbox) throw new PayProblem(`No sandbox is running on ${folder}. Start it with npm start in another terminal`);
  const pool = openDb(sandbox.database_url, { work: "pages", max: 1, applicationName: "stablegate-pay" });
  try {
    const payment = await payOrder(pool.db, (id) => sandbox.networks[id]?.rpc_url, tradeId, deviation);
    await report(payment, sandbox);
  } finally {
    await pool.close();
  }
}

async function report(payment: Payment, sandbox: Announcement): Promise<void> {
  const { network, token, amount, to } = payment;
  print(`Sent ${amount} ${tokenName(token)} on ${networkTitle(network)} to ${to}`);
  for (const txId of payment.transactions) {
    print(`  transaction  ${txId}`);
    const mined = await payment.wallet.mined(txId);
    const failed = mined?.isSuccess === false ? "  (the transfer failed)" : "";
    print(
      `  block        ${mined ? mined.blockHeight + failed : "none yet: the next block did not arrive within a minute"}`,
    );
  }
  print(expectation(payment));
  print(`  ${sandbox.base_url}/pay/${payment.order.id}`);
}

/** Returns a message about the expected result of a payment. */
function expectation({ order, network, isExact }: Payment): string {
  if (order.status === "paid")
    return "This order was already paid; the back office lists your payment under Transfers.";
  if (isExact && order.status !== "cancelled") {
    const { by, depth } = network.finality;
    return `The order is paid ${by === "depth" ? `after ${depth} blocks` : "as soon as that block is final"}. Payment page:`;
  }
  const asked = getNetwork(order.quote.network);
  const due = formatUnits(order.quote.baseUnits, getToken(asked, order.quote.currency).decimals);
  return `The order expects ${due} ${order.quote.currency} on ${asked.name} in one exact payment. The back office shows how this payment was matched. Payment page:`;
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
