import { openOutput } from "@/lib/log";
import { endWith } from "@/scripts/supervisor/foreground";
import { runWeb } from "@/scripts/supervisor/run-web";
import { runWorker } from "@/scripts/supervisor/run-worker";

openOutput("single", process.env, Date.now);

/** Runs the web process and the worker as one process, for machines with little memory (PROCESSES=1). */
runWeb({ startWorker: runWorker }).catch(endWith);
