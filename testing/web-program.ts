import { openOutput } from "@/lib/log";
import { runWeb } from "@/scripts/supervisor/run-web";

openOutput("web", process.env, Date.now);

/** The web process as started by `npm run web`, without Next's pages. */
runWeb({ hasPages: false }).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
