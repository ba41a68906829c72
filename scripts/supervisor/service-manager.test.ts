import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { reportReady } from "@/scripts/supervisor/service-manager";

const LIMIT_MS = 600;
/** The time limit for a report, because a busy machine needs time to start a program. */
const STATE_TIMEOUT_MS = 30_000;

let folder: string;

/** Returns the reports so far; none before the first one. */
async function reports(): Promise<string[]> {
  const text = await readFile(path.join(folder, "reports"), "utf8").catch(() => "");
  return text.split("\n").slice(0, -1);
}

/** Waits for the expected reports. The wait functions of vitest would advance the clock of the test. */
async function expectReports(expected: readonly string[]): Promise<void> {
  const deadline = performance.now() + STATE_TIMEOUT_MS;
  while ((await reports()).length < expected.length && performance.now() < deadline) await pause(20);
  expect(await reports()).toEqual(expected);
}

/** A replacement for systemd-notify that appends each report to a file. */
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "stablegate-notify-"));
  const program = path.join(folder, "systemd-notify");
  await writeFile(program, `#!/bin/sh\necho "$1" >> "${folder}/reports"\n`);
  await chmod(program, 0o755);
  vi.stubEnv("PATH", `${folder}${path.delimiter}${process.env["PATH"]}`);
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
});
afterEach(async () => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

test("a service reports that it is ready, and then several times within the limit of the watchdog that it is alive", async () => {
  const watchdog = { WATCHDOG_USEC: String(LIMIT_MS * 1_000), WATCHDOG_PID: String(process.pid) };
  reportReady({ NOTIFY_SOCKET: "/run/systemd/notify", ...watchdog });
  await expectReports(["--ready"]);
  vi.advanceTimersByTime(LIMIT_MS);
  await expectReports(["--ready", "WATCHDOG=1", "WATCHDOG=1", "WATCHDOG=1"]);
});

test("nothing is reported without a service manager", async () => {
  reportReady({ WATCHDOG_USEC: "1000" });
  reportReady({ NOTIFY_SOCKET: "/run/systemd/notify" });
  expect(vi.getTimerCount()).toBe(0);
  await expectReports(["--ready"]);
});
