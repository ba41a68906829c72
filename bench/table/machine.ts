import { cpus, loadavg, platform, release, totalmem } from "node:os";

/** The machine on which a run was measured. */
export interface Machine {
  cores: number;
  cpu: string;
  memoryBytes: number;
  /** The load average of the machine, in the minute before the run and in its last minute. */
  load: { before: number; after: number };
  system: string;
  node: string;
  postgres: string;
  /** The time at which the run ended. */
  date: Date;
  seconds: number;
}

/** Returns the specifications of this machine, its current load, and the details of the run. */
export function readMachine(run: Pick<Machine, "postgres" | "date" | "seconds"> & { loadBefore: number }): Machine {
  const { loadBefore, ...rest } = run;
  return {
    ...rest,
    cores: cpus().length,
    cpu: cpus()[0]?.model.trim() || "unknown",
    memoryBytes: totalmem(),
    load: { before: loadBefore, after: loadavg()[0] ?? Number.NaN },
    system: `${platform()} ${release().split("-", 1)[0]}`,
    node: process.version,
  };
}

/** Returns the specifications of the machine and the details of the run as text, each with its name. */
export function factsOf(machine: Machine): [name: string, fact: string][] {
  const { cores, cpu, memoryBytes, load, system, node, postgres, date, seconds } = machine;
  return [
    ["Machine", `${cores} cores of ${cpu}, ${(memoryBytes / 2 ** 30).toFixed(0)} GB of memory, ${system}`],
    ["Programs", `Node ${node}, PostgreSQL ${postgres}`],
    ["Run", `${date.toISOString().slice(0, 16).replace("T", " ")} UTC, ${(seconds / 60).toFixed(0)} minutes`],
    ["Load of the machine", `${load.before.toFixed(1)} in the minute before, ${load.after.toFixed(1)} in the last one`],
  ];
}
