import cluster from "node:cluster";
import { getContext } from "@/app/context";
import { hasUsers } from "@/db/queries/users/users";
import { isDatabaseAway } from "@/db/unavailable";
import { readEnv } from "@/lib/config/env";
import { setUpCode } from "@/lib/merchants/vault";
import { startTracing } from "@/lib/tracing/start-tracing";
import { createWebTracing } from "@/lib/tracing/web-tracing";
import { ROOT } from "@/scripts/root";
import { endWith, onSignal } from "@/scripts/supervisor/foreground";
import { announceReady } from "@/scripts/supervisor/service-manager";
import { gatherFromAll, offerNumbers, reportToSupervisor, superviseWeb } from "@/scripts/supervisor/web-processes";
import { startWeb } from "@/server";

/** The time for which new connections are still accepted after SIGTERM, until a load balancer has removed this process. */
const LEAVE_MS = 1_500;

interface RunOptions {
  /** False: without Next's pages, which need a build. */
  hasPages?: boolean;
  /** Starts the worker in this process, too; it is stopped together with the web process. */
  startWorker?: () => Promise<{ stop(): Promise<void> }>;
}

/**
 * Runs the web process in the foreground until SIGTERM or SIGINT, or WEB_CONCURRENCY web processes on one port.
 * @throws Error with a message for the operator
 */
export async function runWeb({ hasPages = true, startWorker }: RunOptions = {}): Promise<void> {
  const env = readEnv(process.env);
  if (cluster.isPrimary && env.webConcurrency > 1) {
    // The web processes inherit the socket from this process, even if a service manager opened it.
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
  const starting = startWorker?.();
  // Also while the worker starts, because the web process already accepts requests.
  onSignal(async (signal) => {
    const leaveMs = signal === "SIGTERM" ? LEAVE_MS : 0;
    await Promise.allSettled([web.close({ leaveMs }), starting?.then((worker) => worker.stop())]);
    await traced?.close();
  });
  await starting;
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
