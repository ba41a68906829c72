import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { reportReady } from "@/scripts/supervisor/service-manager";

let folder: string;
const reports = () => readFile(path.join(folder, "reports"), "utf8").then((text) => text.trim().split("\n"));

/** A program in the place of systemd-notify, which writes down what it was to report. */
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "stablegate-notify-"));
  const program = path.join(folder, "systemd-notify");
  await writeFile(program, `#!/bin/sh\necho "$1" >> "${folder}/reports"\n`);
  await chmod(program, 0o755);
  vi.stubEnv("PATH", `${folder}${path.delimiter}${process.env["PATH"]}`);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

test("a service reports that it is ready, and then several times within the limit of the watchdog that it is alive", async () => {
  reportReady({ NOTIFY_SOCKET: "/run/systemd/notify", WATCHDOG_USEC: "600000", WATCHDOG_PID: String(process.pid) });
  await vi.waitFor(async () =>
    expect((await reports()).filter((one) => one === "WATCHDOG=1").length).toBeGreaterThan(2),
  );
  expect((await reports())[0]).toBe("--ready");
});

test("nothing is reported without a service manager", async () => {
  reportReady({ WATCHDOG_USEC: "1000" });
  reportReady({ NOTIFY_SOCKET: "/run/systemd/notify" });
  await vi.waitFor(async () => expect(await reports()).toEqual(["--ready"]));
});
