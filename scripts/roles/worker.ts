import { openOutput } from "@/lib/log";
import { endWith, onSignal } from "@/scripts/supervisor/foreground";
import { runWorker } from "@/scripts/supervisor/run-worker";
import { announceReady } from "@/scripts/supervisor/service-manager";

openOutput("worker", process.env, Date.now);

/** `npm run worker`: runs the worker in the foreground until SIGTERM or SIGINT. */
async function run(): Promise<void> {
  const worker = await runWorker();
  announceReady();
  onSignal(() => worker.stop());
}

run().catch(endWith);
