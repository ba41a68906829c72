import { access, mkdir, readFile, rmdir, writeFile } from "node:fs/promises";
import path from "node:path";

/** A memory cgroup with a limit, for the programs of a test. */
export interface MemoryCgroup {
  /** Returns the command that runs another one inside the cgroup. */
  inside(argv: readonly string[]): [string, ...string[]];
  /** Returns the memory that cannot be reclaimed, in bytes: without the cached contents of files. */
  usedBytes(): Promise<number>;
  /** Returns the number of processes that the kernel killed because the limit was reached. */
  kills(): Promise<number>;
  remove(): Promise<void>;
}

const ROOT = "/sys/fs/cgroup";
/** The files of both versions of cgroups (the kernel's admin-guide: cgroup-v2, cgroup-v1/memory). */
const V2 = { root: ROOT, limit: "memory.max", anonymous: /^anon (\d+)$/m, events: "memory.events" };
const V1 = {
  root: path.join(ROOT, "memory"),
  limit: "memory.limit_in_bytes",
  anonymous: /^total_rss (\d+)$/m,
  events: "memory.oom_control",
};

/** Creates a memory cgroup. @returns null, with a message on the console, if this machine or user cannot create one */
export async function createMemoryCgroup(limitBytes: number): Promise<MemoryCgroup | null> {
  for (const version of [V1, V2]) {
    const folder = path.join(version.root, `stablegate-test-${process.pid}-${Date.now()}`);
    try {
      await access(path.join(version.root, "cgroup.procs"));
      await mkdir(folder);
    } catch {
      continue;
    }
    try {
      await writeFile(path.join(folder, version.limit), String(limitBytes));
      return cgroupAt(folder, version);
    } catch {
      await rmdir(folder);
    }
  }
  console.log("The memory test is skipped: this machine or user cannot create a memory cgroup.");
  return null;
}

function cgroupAt(folder: string, { anonymous, events }: typeof V1): MemoryCgroup {
  const read = (name: string) => readFile(path.join(folder, name), "utf8");
  return {
    inside: (argv) => ["/bin/sh", "-c", `echo $$ > ${folder}/cgroup.procs && exec "$@"`, "sh", ...argv],
    usedBytes: async () => Number(anonymous.exec(await read("memory.stat"))?.[1]),
    kills: async () => Number(/^oom_kill (\d+)$/m.exec(await read(events))?.[1] ?? 0),
    remove: () => rmdir(folder),
  };
}
