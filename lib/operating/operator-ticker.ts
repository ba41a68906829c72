import { hostname } from "node:os";
import type { Db } from "@/db/client";
import type { Env } from "@/lib/config/env";
import type { Log } from "@/lib/log";
import { hasMetrics } from "@/lib/metrics/metrics-access";
import { openPostOffice } from "@/lib/notifications/mail-transport";
import { type OperatorTargets, tickOperatorAlerts } from "@/lib/operating/operator-alerts";
import { createMachineReader } from "@/lib/operating/read-machine";

export const OPERATOR_TICK_MS = 30_000;

/**
 * Returns the task that web and worker processes run every 30 seconds for the operator. It reports their machine, and evaluates and sends
 * alerts if no other process has. Web processes run it too, so that alerts are also sent when no worker runs.
 * @returns null if neither metrics nor alerts are configured
 */
export function createOperatorTicker(
  db: Db,
  { env, log, version, now }: { env: Env; log: Log; version: string; now: () => Date },
): (() => Promise<void>) | null {
  const { publicUrl, rpcUrls, machineFolders, smtpUrl, mailFrom, telegramUrl, callbackAllowCidrs: allowCidrs } = env;
  const targets = targetsOf(env);
  if (targets.length === 0 && !hasMetrics(env)) return null;
  const machine = machineFolders && { name: hostname(), read: createMachineReader(publicUrl, machineFolders) };
  const office = openPostOffice({ smtpUrl, mailFrom, telegramUrl, allowCidrs, version });
  const ctx = { publicUrl, networks: [...rpcUrls.keys()], targets, office, log, machine };
  return () => tickOperatorAlerts(db, ctx, now());
}

function targetsOf({ operator: { email, telegram } }: Env): OperatorTargets {
  return [
    ...(email === null ? [] : [{ way: "email" as const, email }]),
    ...(telegram === null ? [] : [{ way: "telegram" as const, ...telegram }]),
  ];
}

/**
 * Calls a ticker now and every 30 seconds, one call at a time.
 * @returns a function that stops it and resolves after the last call
 */
export function startOperatorTicker(tick: () => Promise<void>, log: Log): () => Promise<void> {
  let running: Promise<void> = Promise.resolve();
  let isRunning = false;
  const run = () => {
    if (isRunning) return;
    isRunning = true;
    running = tick()
      .catch((err: unknown) => log.warn({ err }, "alerts to the operator could not be evaluated"))
      .finally(() => {
        isRunning = false;
      });
  };
  run();
  const timer = setInterval(run, OPERATOR_TICK_MS);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
}
