import { readFile, rename, writeFile } from "node:fs/promises";

/** The shape of a file: a schema of zod, or `shapeOf` in processes that do not load zod. */
interface Shape<T> {
  /** @throws Error if the value does not have the shape */
  parse(value: unknown): T;
}

/** Returns a shape whose values have at least the fields of `example`, each of the same type. */
export function shapeOf<T extends Readonly<Record<string, string | number>>>(example: T): Shape<T> {
  return {
    parse(value) {
      for (const [name, field] of Object.entries(example)) {
        const given = (value as Record<string, unknown> | null)?.[name];
        if (typeof given !== typeof field) throw new Error(`${name} is not a ${typeof field}`);
      }
      return value as T;
    },
  };
}

/** Reads a JSON file. @returns null if it is missing or truncated. */
export async function readJson<T>(file: string, schema: Shape<T>): Promise<T | null> {
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
