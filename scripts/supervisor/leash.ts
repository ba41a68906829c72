import cluster from "node:cluster";

/**
 * Loaded before a supervised program (node --import): it reports to the supervisor that it is alive, and when its supervisor is gone,
 * even killed, the program stops as if asked to, and ends at last. Plain Node, without imports of the project, so that it runs unbuilt.
 */
const GRACE_MS = 6_000;
/** The same as `BEAT_MS` of freeze-watch.ts. */
const BEAT_MS = 1_000;

// A web process of several reports to the first one by itself, once it is ready.
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
