import cluster from "node:cluster";
import "../machine/compile-cache.mjs";

/**
 * A module that is loaded before a supervised program (node --import). It reports to the supervisor that the program is alive. If the
 * supervisor exits or is killed, it sends the program SIGTERM, and ends it after a grace period. It must not import project modules, so
 * that it needs no build.
 */
const GRACE_MS = 6_000;
/** The same as `BEAT_MS` of freeze-watch.ts. */
const BEAT_MS = 1_000;

// If there are several web processes, each child process reports to the first process once it is ready, without this module.
if (process.send && !cluster.isWorker) {
  const report = () => process.connected && process.send?.({ kind: "alive" }, undefined, undefined, () => {});
  report();
  setInterval(report, BEAT_MS).unref();
}

process.on("disconnect", () => {
  setTimeout(() => process.exit(1), GRACE_MS).unref();
  process.kill(process.pid, "SIGTERM");
});
process.channel?.unref();
