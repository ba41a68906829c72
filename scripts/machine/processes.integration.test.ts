import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

const PROCESSES = path.resolve("scripts/machine/processes.mjs");
const LOCK = path.resolve("scripts/machine/lock.mjs");
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "stablegate scripts-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

/**
 * Returns the command that runs a script in a shell, which replaces npm as its parent. The script checks its parent for signs of nohup,
 * and vitest shows these signs if it was started by `nohup npm test`.
 */
const viaShell = (file: string): [string, string[]] => ["/bin/sh", ["-c", `"${process.execPath}" "${file}" & wait $!`]];

/** Returns the environment of this test without `_`, which names nohup if the tests were started with it. */
function startEnv(): NodeJS.ProcessEnv {
  const { _, ...rest } = process.env;
  return { ...rest, npm_lifecycle_event: "start" };
}

/**
 * Starts a script that starts a program, which starts a second one. Each writes its process id to the folder.
 * @returns the spawned process, the script's id, and the ids of the two programs
 */
async function startFamily(
  program = "",
  command = (file: string): [string, string[]] => [process.execPath, [file]],
  options: SpawnOptions = {},
): Promise<{ script: ChildProcess; scriptPid: number; pids: number[] }> {
  const file = path.join(folder, "script.mjs");
  const shell = `echo $$ > "${folder}/child"; sleep 1000 & echo $! > "${folder}/grandchild"; ${program} wait`;
  await writeFile(
    file,
    `import { writeFileSync } from "node:fs";
     import { start } from ${JSON.stringify(PROCESSES)};
     writeFileSync(${JSON.stringify(path.join(folder, "script"))}, String(process.pid));
     const { code } = await start("/bin/sh", ["-c", ${JSON.stringify(shell)}]).ended;
     process.exitCode = code;`,
  );
  const script = spawn(...command(file), { stdio: ["pipe", "ignore", "ignore"], env: startEnv(), ...options });
  const [scriptPid = 0, ...pids] = await vi.waitFor(
    async () => {
      const names = ["script", "child", "grandchild"];
      const texts = await Promise.all(names.map((name) => readFile(path.join(folder, name), "utf8")));
      const numbers = texts.map(Number);
      expect(numbers.every((pid) => pid > 0)).toBe(true);
      return numbers;
    },
    { timeout: 20_000 },
  );
  return { script, scriptPid, pids };
}

const waitUntilGone = (pids: number[]) =>
  vi.waitFor(() => expect(pids.filter(isAlive)).toEqual([]), { timeout: 40_000, interval: 100 });

test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
  "%s ends the program, what it started, and the script",
  async (signal) => {
    const { scriptPid, pids } = await startFamily("", viaShell);
    process.kill(scriptPid, signal);
    await waitUntilGone([...pids, scriptPid]);
  },
);

test("a script that is killed outright leaves nothing behind", async () => {
  const { script, pids } = await startFamily();
  script.kill("SIGKILL");
  await waitUntilGone(pids);
});

test("when npm is killed outright, what its script started ends too", async () => {
  const { script, pids } = await startFamily("", (file) => [
    "/bin/sh",
    ["-c", `"${process.execPath}" "${file}"; true`],
  ]);
  script.kill("SIGKILL");
  await waitUntilGone(pids);
});

describe("started by npm itself", () => {
  /** Starts the same processes under a real `npm start`, which `shell` calls; also returns npm's process id. */
  async function startByNpm(shell: (npmStart: string) => string) {
    const npmStart = `npm start --silent --prefix "${folder}"`;
    const settings = { name: "family", private: true, scripts: { start: "exec node script.mjs" } };
    await writeFile(path.join(folder, "package.json"), JSON.stringify(settings));
    const beat = `while :; do echo >> "${folder}/beats"; sleep 0.1; done & `;
    const family = await startFamily(beat, () => ["bash", ["-c", shell(npmStart)]], { detached: true });
    const npm = Number(await readFile(path.join(folder, "npm"), "utf8"));
    return { ...family, npm };
  }

  /** Waits until the program has written this many more heartbeats. */
  async function goesOn(beats: number): Promise<void> {
    const count = async () => (await readFile(path.join(folder, "beats"), "utf8")).length;
    const before = await count();
    await vi.waitFor(async () => expect(await count()).toBeGreaterThan(before + beats), { timeout: 40_000 });
  }

  test("the program continues after the caller of npm ends, until npm itself is killed", async () => {
    const { script, npm, pids } = await startByNpm(
      (npmStart) => `nohup ${npmStart} >/dev/null 2>&1 & echo $! > "${folder}/npm"; read line`,
    );
    script.stdin?.end();
    if (script.exitCode === null) await once(script, "exit");
    await goesOn(30);
    expect(pids.every(isAlive)).toBe(true);
    process.kill(npm, "SIGKILL");
    await waitUntilGone(pids);
  });

  test("a hang-up of the terminal reaches nothing that was started with nohup, even though npm dies of it", async () => {
    const { script, scriptPid, npm, pids } = await startByNpm(
      (npmStart) => `nohup ${npmStart} >/dev/null 2>&1 & echo $! > "${folder}/npm"; read line`,
    );
    process.kill(-(script.pid ?? 0), "SIGHUP");
    await waitUntilGone([npm]);
    await goesOn(30);
    process.kill(scriptPid, "SIGTERM");
    await waitUntilGone([...pids, scriptPid]);
  });
});

test("a program that ends by itself takes what it started with it, and its exit code is the script's", async () => {
  const { script, pids } = await startFamily("exit 7;");
  if (script.exitCode === null) await once(script, "exit");
  expect(script.exitCode).toBe(7);
  await waitUntilGone(pids);
});

test("two processes never hold a lock at once, and one that died does not keep it", async () => {
  const file = path.join(folder, "holder.mjs");
  const log = path.join(folder, "log");
  const name = path.basename(folder).replaceAll(" ", "-");
  await writeFile(
    file,
    `import { appendFileSync } from "node:fs";
     import { withLock } from ${JSON.stringify(LOCK)};
     await withLock(${JSON.stringify(name)}, "waiting", async () => {
       appendFileSync(${JSON.stringify(log)}, "in\\n");
       if (process.argv[2] === "die") process.kill(process.pid, "SIGKILL");
       await new Promise((resolve) => setTimeout(resolve, 50));
       appendFileSync(${JSON.stringify(log)}, "out\\n");
     });`,
  );
  await once(spawn(process.execPath, [file, "die"], { stdio: "ignore" }), "exit");
  const holders = Array.from({ length: 6 }, () => once(spawn(process.execPath, [file], { stdio: "ignore" }), "exit"));
  const codes = (await Promise.all(holders)).map(([code]) => code);
  expect(codes).toEqual([0, 0, 0, 0, 0, 0]);
  expect((await readFile(log, "utf8")).trim().split("\n")).toEqual(["in", ...Array(6).fill(["in", "out"]).flat()]);
  const locks = await readdir(path.resolve(".build/locks"));
  expect(locks.filter((lock) => lock.startsWith(name))).toEqual([]);
});
