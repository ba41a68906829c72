import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pythonWith } from "@/testing/published-client";

/** The version is exact, because each version adds checks. */
const REQUIREMENT = "schemathesis==4.32.5";

/** The settings of a run of Schemathesis. */
export interface SchemathesisRun {
  /** The origin of the web process, without a slash at its end. */
  origin: string;
  apiKey: string;
  /** The number of generated requests for each operation. */
  examples: number;
  seed: number;
}

/**
 * Runs Schemathesis with all checks against the API document of a running web process.
 * @returns its exit code (0 if no check failed) and output; null, with a message, if it cannot be installed
 */
export async function runSchemathesis(settings: SchemathesisRun): Promise<{ code: number; output: string } | null> {
  const python = await pythonWith([REQUIREMENT]);
  if (python === null) return null;
  const { origin, apiKey, examples, seed } = settings;
  const flags = [
    `--url=${origin}`,
    `--header=X-API-Key: ${apiKey}`,
    "--checks=all",
    `--max-examples=${examples}`,
    `--seed=${seed}`,
    "--continue-on-failure",
    "--generation-database=none",
    "--no-color",
  ];
  const program = path.join(path.dirname(python), "schemathesis");
  const config = `--config-file=${path.resolve("testing/schemathesis.toml")}`;
  const folder = await mkdtemp(path.join(tmpdir(), "stablegate-schemathesis-"));
  try {
    return await run(program, [config, "run", ...flags, `${origin}/api/openapi.json`], folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

function run(program: string, flags: readonly string[], cwd: string): Promise<{ code: number; output: string }> {
  const env = { ...process.env, SCHEMATHESIS_HOOKS: path.resolve("testing/schemathesis-hooks.py") };
  return new Promise((resolve, reject) => {
    const child = spawn(program, flags, { cwd, env });
    const output: string[] = [];
    child.stdout.on("data", (chunk) => output.push(String(chunk)));
    child.stderr.on("data", (chunk) => output.push(String(chunk)));
    child.on("error", reject);
    child.on("close", (code) => resolve({ code: code ?? -1, output: output.join("") }));
  });
}
