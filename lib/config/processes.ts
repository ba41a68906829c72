import { totalmem } from "node:os";

// This file has no packages, because supervisors read these settings, too.

type Source = Readonly<Record<string, string | undefined>>;

/** The first file descriptor that a service manager passes (sd_listen_fds(3)). */
const SOCKET_DESCRIPTOR = 3;

/**
 * Returns the listening socket that a service manager opened for this process, or for the supervisor that started it. The service manager
 * keeps the socket open while these processes restart. Returns null if there is none.
 */
export function givenSocket(source: Source): number | null {
  const isOurs = [process.pid, process.ppid].includes(Number(source["LISTEN_PID"]));
  return isOurs && Number(source["LISTEN_FDS"]) === 1 ? SOCKET_DESCRIPTOR : null;
}

/** The memory, in bytes, below which the web process and the worker run as one process unless PROCESSES is set. */
const SMALL_MACHINE = 1.5 * 1024 ** 3;

/**
 * Returns true if the web process and the worker run as one process: PROCESSES=1, or, without this setting, a machine or container with
 * little memory and one web process.
 */
export function isOneProcess(source: Source): boolean {
  const given = source["PROCESSES"]?.trim();
  if (given) return given === "1";
  const hasSeveralWebs = (source["WEB_CONCURRENCY"]?.trim() || "1") !== "1";
  return !hasSeveralWebs && Math.min(totalmem(), process.constrainedMemory() || totalmem()) < SMALL_MACHINE;
}
