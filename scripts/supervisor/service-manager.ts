import { execFile } from "node:child_process";

type Source = Readonly<Record<string, string | undefined>>;

/** The number of reports that a service sends within the time after which systemd considers it frozen. */
const REPORTS_PER_LIMIT = 3;

/**
 * Reports to systemd that this process is ready, and from then on that it is alive (sd_notify(3)). Does nothing without a service manager
 * that expects reports. Node does not support the datagram sockets that systemd uses, so systemd's own program sends the reports
 * (`NotifyAccess=all`).
 */
export function reportReady(source: Source, pid = process.pid): void {
  if (!source["NOTIFY_SOCKET"]) return;
  send("--ready");
  const limitMs = Number(source["WATCHDOG_USEC"] ?? 0) / 1_000;
  const isMeant = !source["WATCHDOG_PID"] || Number(source["WATCHDOG_PID"]) === pid;
  if (limitMs > 0 && isMeant) setInterval(() => send("WATCHDOG=1"), limitMs / REPORTS_PER_LIMIT).unref();
}

/** Reports to the supervisor that started this process that it is ready. Does nothing without a supervisor. */
export function reportReadyToSupervisor(): void {
  process.send?.({ kind: "ready" }, undefined, undefined, () => {});
}

/** Reports to the service manager and to the supervisor that this process is ready. */
export function announceReady(): void {
  reportReady(process.env);
  reportReadyToSupervisor();
}

function send(report: string): void {
  execFile("systemd-notify", [report], (error) => {
    if (error) process.stderr.write(`systemd was not notified (systemd-notify ${report}): ${error.message.trim()}\n`);
  });
}
