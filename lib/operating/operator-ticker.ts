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
 * Makes what web and worker processes do every 30 seconds for the operator: report their machine, and evaluate and send alerts where no
 * other process has. Web processes take part, so that an alert is also sent when no worker runs.
 * @returns null where neither metrics nor alerts are set
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

/** Calls a ticker now and every 30 seconds, one call at a time. @returns what ends it, once the last call is over */
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
