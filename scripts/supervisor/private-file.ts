import { readFile, rename, writeFile } from "node:fs/promises";
import type { z } from "zod";

/** Reads a JSON file. @returns null if it is missing or truncated. */
export async function readJson<T>(file: string, schema: z.ZodType<T>): Promise<T | null> {
  const text = await readFile(file, "utf8").catch(() => null);
  if (text === null) return null;
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** Writes a JSON file that only its owner can read. The write is atomic. */
export async function writePrivateJson(file: string, value: unknown): Promise<void> {
  const draft = `${file}.${process.pid}.new`;
  await writeFile(draft, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  await rename(draft, file);
}
