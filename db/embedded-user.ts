import { execFile } from "node:child_process";
import { stat } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";

interface Command {
  file: string;
  args: string[];
  options: { cwd: string; env: NodeJS.ProcessEnv; uid?: number; gid?: number };
}

/** The operating system user that runs the database server. */
export interface DatabaseUser {
  /** The user that must own the data; null if it is the user of this process. */
  owner: { uid: number; gid: number } | null;
  /** Returns the command that starts a program as that user. */
  command(argv: readonly [string, ...string[]]): Command;
}

const NAME = "postgres";
const ENV = {
  PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
  LC_ALL: "C",
  NODE_ENV: "production",
} as const;
const run = promisify(execFile);

/**
 * Returns the user that runs PostgreSQL, which refuses to run as root. For root, that is the user "postgres", which is created if it is
 * missing. If that user has no access to the folders above `paths` (a checkout in /root), it gets only the capability to access them.
 */
export async function databaseUser(paths: readonly string[]): Promise<DatabaseUser> {
  const options = { cwd: "/", env: ENV };
  if (process.getuid?.() !== 0) {
    return { owner: null, command: ([file, ...args]) => ({ file, args, options }) };
  }
  const owner = await findOrMakeUser();
  if (await canReach(paths, owner.uid, owner.gid)) {
    return { owner, command: ([file, ...args]) => ({ file, args, options: { ...options, ...owner } }) };
  }
  const identity = [`--reuid=${owner.uid}`, `--regid=${owner.gid}`, "--clear-groups"];
  // Without this secure bit, access(2) would check only the user id.
  const capability = ["--securebits=+no_setuid_fixup", "--inh-caps=+dac_override", "--ambient-caps=+dac_override"];
  return {
    owner,
    command: (argv) => ({ file: "setpriv", args: [...identity, ...capability, "--", ...argv], options }),
  };
}

async function findOrMakeUser(): Promise<{ uid: number; gid: number }> {
  const find = async () => ({ uid: await idOf("-u"), gid: await idOf("-g") });
  try {
    return await find();
  } catch {
    await run("useradd", ["--system", "--user-group", "--no-create-home", NAME]);
    return find();
  }
}

async function idOf(flag: string): Promise<number> {
  return Number((await run("id", [flag, NAME])).stdout);
}

async function canReach(paths: readonly string[], uid: number, gid: number): Promise<boolean> {
  const folders = new Set(paths.flatMap(foldersAbove));
  const answers = await Promise.all(
    [...folders].map(async (folder) => {
      const { mode, uid: owner, gid: group } = await stat(folder);
      const shift = owner === uid ? 6 : group === gid ? 3 : 0;
      return ((mode >> shift) & 1) === 1;
    }),
  );
  return answers.every(Boolean);
}

function foldersAbove(file: string): string[] {
  const parent = path.dirname(file);
  return parent === file ? [] : [parent, ...foldersAbove(parent)];
}
