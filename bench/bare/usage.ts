import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** The resources that a program has used so far. */
export interface Usage {
  cpuMs: number;
  rssBytes: number;
  /** The size of live objects after a collection, inside and outside of the heap; only if requested. */
  heapBytes?: number;
}

/** Returns the usage of this process, after a garbage collection if the memory in use is requested. */
export function usageOf(asked: unknown): Usage {
  return asked === "memory" ? collected() : usage();
}

function usage(): Usage {
  const { user, system } = process.cpuUsage();
  return { cpuMs: (user + system) / 1_000, rssBytes: process.memoryUsage.rss() };
}

function collected(): Usage {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  for (let times = 0; times < 3; times++) collect();
  const { heapUsed, external } = process.memoryUsage();
  return { ...usage(), heapBytes: heapUsed + external };
}
