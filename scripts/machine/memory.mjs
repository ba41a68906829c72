import { totalmem } from "node:os";

/**
 * The Node flags of every launcher. By default, Node sizes the young generation by the machine's memory. In a busy process, the young
 * generation then uses 100 MB of the total of 280 MB.
 */
export const MEMORY = ["--max-semi-space-size=16"];

/** The memory that installing the packages and building need, in megabytes. */
export const MIN_BUILD_MEGABYTES = 1_536;

/** The exit codes of programs that the kernel killed, or that V8 or an allocator aborted. */
const KILLED = new Set([137, 134]);
const IS_OUT_OF_MEMORY =
  /signal:? SIGKILL|heap out of memory|memory allocation of \d+ bytes failed|Cannot allocate memory|\bENOMEM\b/;

/**
 * Returns the message for a program that ended because memory was missing, or null if it ended for another reason.
 * @param program its name, for the message
 * @param ended its exit code and, if known, its output
 * @param machine the memory of this machine, in bytes
 */
export function memoryProblem(program, { code, output = "" }, machine) {
  if (!KILLED.has(code) && !IS_OUT_OF_MEMORY.test(output)) return null;
  const megabytes = Math.round(machine / 1024 ** 2);
  return `${program} was stopped because memory was missing: this machine has ${megabytes} MB, and installing and building need ${MIN_BUILD_MEGABYTES} MB. Add memory or swap, or install the package, which needs no build and runs in 512 MB (docs/packages.md).`;
}

/** Returns the memory that this process may use, in bytes: that of the machine, or the limit of its container. */
export function machineMemory() {
  return Math.min(totalmem(), process.constrainedMemory?.() || totalmem());
}
