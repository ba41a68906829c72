import { readFileSync } from "node:fs";
import { removedSettings } from "@/lib/config/removed-settings";

/** Settings that can be read from a file named by `<NAME>_FILE`, because Docker secrets and systemd credentials are files. */
const SECRETS = [
  "DATABASE_URL",
  "DATABASE_DIRECT_URL",
  "DATABASE_OWNER_URL",
  "DATABASE_REPLICA_URL",
  "APP_SECRET",
  "APP_SECRET_ALSO",
  "SMTP_URL",
  "OPERATOR_TELEGRAM_TOKEN",
  "OTEL_EXPORTER_OTLP_HEADERS",
] as const;

/** The environment variables of a process. */
export type Source = Readonly<Record<string, string | undefined>>;

/**
 * Adds the content of secret files to the other settings, trimmed.
 * @returns the settings and the problems: a file that cannot be read or is empty, or a setting that is given both ways
 */
function withSecretFiles(source: Source): { source: Source; problems: string[] } {
  const read: Record<string, string> = {};
  const problems: string[] = [];
  for (const name of SECRETS) {
    const file = source[`${name}_FILE`]?.trim();
    if (!file) continue;
    const given = readSecret(file);
    if (source[name]?.trim()) problems.push(`${name} and ${name}_FILE are both set; set only one of them`);
    else if ("text" in given) read[name] = given.text;
    else problems.push(`${name}_FILE names ${file}, which ${given.problem}`);
  }
  return { source: { ...source, ...read }, problems };
}

/**
 * Returns the settings that are given. An empty setting counts as missing. Secret files are read.
 * @param problems receives the problems of secret files and each removed setting that is given
 */
export function givenSettings(source: Source, problems: string[]): Record<string, string> {
  const given: Record<string, string> = {};
  const read = withSecretFiles(source);
  problems.push(...read.problems);
  for (const [name, value] of Object.entries(read.source)) if (value?.trim()) given[name] = value;
  problems.push(...removedSettings(given));
  return given;
}

function readSecret(file: string): { text: string } | { problem: string } {
  try {
    const text = readFileSync(file, "utf8").trim();
    return text ? { text } : { problem: "is empty" };
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
    return { problem: `cannot be read (${code}); it must exist and be readable by the user of this process` };
  }
}

/**
 * Returns true if the settings contain the URL of a database, directly or in a file. Without one, an installation runs its own PostgreSQL.
 */
export function namesDatabase(source: Source): boolean {
  return Boolean(source["DATABASE_URL"]?.trim() || source["DATABASE_URL_FILE"]?.trim());
}
