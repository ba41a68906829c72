import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { builtEntry } from "@/scripts/root";
import { StartProblem } from "@/scripts/supervisor/problem";

/** The secrets of an installation, as settings. */
interface Secrets {
  APP_SECRET: string;
  APP_SECRET_ALSO?: string;
}

/** Work of a supervisor that needs many packages. */
export type Task =
  /** Checks all settings of an installation on the embedded database. */
  | { kind: "settings" }
  /** Migrates the database and checks the secret. The result is the URL for web process and worker. */
  | { kind: "migrate"; url: string; secrets: Secrets }
  /** Writes the nightly dump. The result is its file. */
  | { kind: "dump"; url: string; folder: string };

/** The outcome of a task; a known problem has a message for the operator, and any other the text of its error. */
export type Outcome = { result: string } | { problem: string; isKnown: boolean };

/** An error of a task that is a defect or a failure of the machine. Its message contains the stack trace. */
export class TaskFailure extends Error {
  override readonly name = "TaskFailure";
}

export interface Preparation {
  /** @throws StartProblem, TaskFailure */
  run(task: Task): Promise<string>;
  end(): Promise<void>;
}

/** Opens a thread for tasks. The memory of the packages that they need is free again after `end`. */
export function openPreparation(): Preparation {
  const thread = new Worker(builtEntry("prepare"), { execArgv: ["--enable-source-maps"] });
  const { promise: died, reject: reportDeath } = Promise.withResolvers<never>();
  thread.on("error", reportDeath).on("exit", () => reportDeath(new TaskFailure("The thread for tasks ended.")));
  // Each task reports it.
  died.catch(() => {});
  return {
    async run(task) {
      thread.postMessage(task);
      const [outcome] = (await Promise.race([once(thread, "message"), died])) as [Outcome];
      if ("result" in outcome) return outcome.result;
      throw outcome.isKnown ? new StartProblem(outcome.problem) : new TaskFailure(outcome.problem);
    },
    end: async () => void (await thread.terminate()),
  };
}

/** Runs one task in a thread of its own. @throws StartProblem, TaskFailure */
export async function runTask(task: Task): Promise<string> {
  const preparation = openPreparation();
  return preparation.run(task).finally(preparation.end);
}
