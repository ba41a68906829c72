/**
 * Loaded before a supervised program (node --import): when its supervisor is gone, even killed, the program stops as
 * if asked to, and ends at last. Plain Node, without imports of the project, so that it runs unbuilt.
 */
const GRACE_MS = 6_000;

process.on("disconnect", () => {
  setTimeout(() => process.exit(1), GRACE_MS).unref();
  process.kill(process.pid, "SIGTERM");
});
process.channel?.unref();
