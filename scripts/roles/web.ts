import { openOutput } from "@/lib/log";
import { runWeb } from "@/scripts/supervisor/run-web";

openOutput("web", process.env, Date.now);

/** `npm run web`: runs the web process in the foreground until SIGTERM or SIGINT. */
runWeb().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
