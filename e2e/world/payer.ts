import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

/**
 * Sends a real token transfer for an order with the program of `npm run pay`.
 * @returns its output
 */
export async function pay(tradeId: string, ...deviation: string[]): Promise<string> {
  const { stdout } = await run(process.execPath, [".build/pay.js", tradeId, ...deviation], { env: process.env });
  return stdout;
}

/**
 * Plays the open steps of an order's refund with the program of `npm run refund`: claim, approval and payment.
 * @returns its output
 */
export async function playRefund(tradeId: string): Promise<string> {
  const { stdout } = await run(process.execPath, [".build/refund.js", tradeId], { env: process.env });
  return stdout;
}
