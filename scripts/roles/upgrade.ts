import { upgrade } from "@/scripts/release/upgrade";
import { StartProblem } from "@/scripts/supervisor/problem";

/** `./stablegate upgrade FILE [--wait SECONDS] [--no-dump]`: replaces the release of an unpacked package with that in a tarball. */
await upgrade(process.argv.slice(2), process.env, (text) => process.stdout.write(`${text}\n`)).catch(
  (error: unknown) => {
    process.stderr.write(`${error instanceof StartProblem ? error.message : String(error)}\n`);
    process.exitCode = 1;
  },
);
