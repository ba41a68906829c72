import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { constants } from "node:os";
import { passLogLines, writesJsonLines } from "../../lib/output/log-lines.mjs";
import { projectEnv, ROOT } from "./toolchain.mjs";

const GRACE_MS = 28_000;
const REPEAT_MS = 2_000;

/**
 * A shell script that becomes the requested program, in its own process group. A background process ends the whole group when standard
 * input closes, which also happens when the script that started it is killed with SIGKILL.
 */
const KEEPER = `
exec 3<&0
(
  trap '' INT TERM HUP
  cat <&3 >/dev/null
  kill -TERM $$ 2>/dev/null
  n=0
  while kill -0 $$ 2>/dev/null && [ $n -lt ${GRACE_MS / 200} ]; do sleep 0.2; n=$((n + 1)); done
  kill -KILL 0
) >/dev/null 2>&1 &
exec "$@" </dev/null 3<&-
`;

const owned = new Set();
let stopping = null;

/**
 * Starts a program that cannot outlive this script. A service is one that a signal ends well: its exit code is this
 * script's then. Where this script writes its log as JSON, the program's output becomes log lines of `role`. One that writes log lines
 * itself (`hasLog`) keeps standard output; what it cannot catch, such as Node's end for lack of memory, comes by standard error.
 * @returns {{ child: import("node:child_process").ChildProcess, ended: Promise<{ code: number, signal: string | null }>, stop(signal?: string): Promise<void> }}
 */
export function start(file, args, options = {}) {
  const { env, role = "start", hasLog = false, cwd = ROOT, isService = false } = options;
  const passed = { stdout: !options.stdout && !hasLog, stderr: !options.stderr };
  const passes = (name) => passed[name] && writesJsonLines();
  const { stdout = passes("stdout") ? "pipe" : "inherit", stderr = passes("stderr") ? "pipe" : "inherit" } = options;
  listenForSignals();
  const child = spawn("/bin/sh", ["-c", KEEPER, "keeper", file, ...args], {
    cwd,
    env: env ?? projectEnv(),
    stdio: ["pipe", stdout, stderr],
    detached: true,
  });
  for (const name of ["stdout", "stderr"]) if (passes(name)) passLogLines(child[name], name, role);
  const ended = new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", () => killGroup(child));
    // The program's last output must be passed on before its exit is reported.
    child.once(passes("stderr") ? "close" : "exit", (code, signal) => {
      owned.delete(entry);
      resolve({ code: code ?? 128 + (constants.signals[signal] ?? 0), signal });
    });
  });
  const entry = { child, ended, isService, stop: (signal = "SIGTERM") => stop(child, ended, signal) };
  owned.add(entry);
  if (stopping) void entry.stop();
  return entry;
}

/** Runs a program until it exits. @returns its exit code */
export async function run(file, args, options) {
  return (await start(file, args, options).ended).code;
}

/** Runs a program until it exits. @returns its exit code and output */
export async function capture(file, args, options = {}) {
  const entry = start(file, args, { ...options, stdout: "pipe", stderr: "pipe" });
  let output = "";
  for (const stream of [entry.child.stdout, entry.child.stderr]) {
    stream.on("data", (chunk) => {
      output += chunk;
    });
  }
  const [{ code }] = await Promise.all([entry.ended, closed(entry.child)]);
  return { code, output };
}

/** Returns true after this script received a signal to stop. */
export function isStopping() {
  return stopping !== null;
}

const closed = (child) => new Promise((resolve) => child.once("close", resolve));

async function stop(child, ended, signal) {
  if (child.exitCode === null && child.signalCode === null) {
    child.kill(signal);
    const force = setTimeout(() => killGroup(child), GRACE_MS);
    await ended.catch(() => {});
    clearTimeout(force);
  }
}

function killGroup(child) {
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    // No process of the group is left.
  }
}

let isListening = false;

function listenForSignals() {
  if (isListening) return;
  isListening = true;
  const mindsHangup = !isHangupIgnored();
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => void stopAll(signal));
  process.on("exit", () => {
    for (const { child } of owned) killGroup(child);
  });
  // npm sends no signal when it is killed, so the parent process id is checked. npm is this script's parent, because package.json starts
  // scripts by `exec`. npm's own parent may exit.
  const npm = process.ppid;
  const watch = process.env.npm_lifecycle_event
    ? setInterval(() => process.ppid !== npm && stopAll("SIGTERM"), 1_000).unref()
    : null;
  // SIGHUP ends npm even if the signal is ignored, because Node resets ignored signals at startup. In that case, npm's exit does not stop
  // this script.
  process.on("SIGHUP", () => (mindsHangup ? void stopAll("SIGHUP") : clearInterval(watch)));
}

/**
 * Returns true if SIGHUP was ignored when this process was started. Node resets all signals at startup, and so does npm's Node. This
 * function therefore checks other evidence: nohup in the shell's `_`, here and in npm's environment, and the ignored signals of npm and
 * its parent.
 */
function isHangupIgnored() {
  const npm = process.ppid;
  const caller = /^PPid:\s*(\d+)/m.exec(readProc(npm, "status"))?.[1];
  const ignored = [npm, caller].map((pid) => /^SigIgn:\s*([0-9a-f]+)/m.exec(readProc(pid, "status"))?.[1] ?? "0");
  const commands = [process.env._ ?? "", /(?:^|\0)_=([^\0]*)/.exec(readProc(npm, "environ"))?.[1] ?? ""];
  return commands.some((command) => /(^|\/)nohup$/.test(command)) || ignored.some((mask) => BigInt(`0x${mask}`) & 1n);
}

/** Returns a file of a process under /proc; "" if it cannot be read. */
function readProc(pid, name) {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "utf8");
  } catch {
    return "";
  }
}

/** Stops everything gracefully at the first signal. A SIGINT more than two seconds after the first signal stops everything immediately. */
async function stopAll(signal) {
  const exitCode = 128 + constants.signals[signal];
  if (stopping) {
    if (performance.now() - stopping.at > REPEAT_MS && signal === "SIGINT") process.exit(exitCode);
    return;
  }
  stopping = { at: performance.now() };
  const entries = [...owned];
  await Promise.all(entries.map((entry) => entry.stop(signal === "SIGHUP" ? "SIGTERM" : signal)));
  const ends = await Promise.all(entries.filter((entry) => entry.isService).map((entry) => entry.ended));
  const didEndWell = ends.length > 0 && ends.every(({ code }) => code === 0);
  process.exit(didEndWell ? 0 : exitCode);
}
