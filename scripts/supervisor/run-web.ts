import cluster from "node:cluster";
import { getContext } from "@/app/context";
import { hasUsers } from "@/db/queries/users/users";
import { isDatabaseAway } from "@/db/unavailable";
import { readEnv } from "@/lib/config/env";
import { setUpCode } from "@/lib/merchants/vault";
import { startTracing } from "@/lib/tracing/start-tracing";
import { createWebTracing } from "@/lib/tracing/web-tracing";
import { ROOT } from "@/scripts/root";
import { announceReady } from "@/scripts/supervisor/service-manager";
import { gatherFromAll, offerNumbers, reportToSupervisor, superviseWeb } from "@/scripts/supervisor/web-processes";
import { startWeb } from "@/server";

/** The time for which new connections are still accepted after SIGTERM, until a load balancer has removed this process. */
const LEAVE_MS = 1_500;

/**
 * Runs the web process in the foreground until SIGTERM or SIGINT, or WEB_CONCURRENCY web processes on one port.
 * @param hasPages false: without Next's pages, which need a build
 * @throws Error with a message for the operator
 */
export async function runWeb({ hasPages = true } = {}): Promise<void> {
  const env = readEnv(process.env);
  if (cluster.isPrimary && env.webConcurrency > 1) {
    // The web processes inherit the socket from this process, whoever opened it.
    if (env.listenFd !== null) process.env["LISTEN_PID"] = String(process.pid);
    return superviseAll(env.webConcurrency);
  }
  const gather = gatherFromAll();
  const traced = await startTracing(env, "web", createWebTracing);
  const web = await startWeb({
    env,
    hasPages,
    folder: ROOT,
    ...(gather && { gather }),
    ...(traced && { tracing: traced.tracing }),
    onRefused: endWith,
  });
  const { metrics, ownLog } = getContext();
  traced?.showIn(ownLog);
  if (metrics) await offerNumbers(metrics.counted.registry);
  onSignal((signal) => web.close({ leaveMs: signal === "SIGTERM" ? LEAVE_MS : 0 }).finally(() => traced?.close()));
  reportToSupervisor(web.listensAt);
  if (cluster.isPrimary) announceReady();
  if (cluster.isPrimary)
    console.log(`Stablegate is listening at ${web.listensAt}; payers and merchants reach it at ${env.publicUrl}`);
  if (cluster.isWorker && cluster.worker?.id !== 1) return;
  await web.checked;
  if (await hasNoUsers())
    console.log(
      `No user is registered yet: open ${env.publicUrl}/register and enter the set-up code ${setUpCode(env.appSecret)}`,
    );
}

function endWith(error: Error): void {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}

function superviseAll(count: number): void {
  const all = superviseWeb({
    count,
    print: (text) => console.log(text),
    onReady: announceReady,
    release(why) {
      process.stderr.write(`${why}\n`);
      void all.stop().finally(() => process.exit(1));
    },
  });
  onSignal(() => all.stop());
}

async function hasNoUsers(): Promise<boolean> {
  try {
    return !(await hasUsers(getContext().pool.db));
  } catch (error) {
    if (isDatabaseAway(error)) return false;
    throw error;
  }
}

function onSignal(stop: (signal: string) => Promise<void>): void {
  let isStopping = false;
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.on(signal, () => {
      if (isStopping) return;
      isStopping = true;
      void stop(signal).finally(() => process.exit(0));
    });
  }
}
