import { createWriteStream, existsSync, renameSync, statSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { z } from "zod";

const MAX_BYTES = 20 * 1024 * 1024;
const WARNING = 40;
const Line = z.looseObject({
  level: z.number(),
  msg: z.string().default(""),
  err: z.looseObject({ message: z.string() }).optional(),
});

/** Takes one program's output into `<folder>/<name>.log`; `say` hears its warnings, errors and anything that is no log line. */
export function logTo(folder: string, name: string, say: (text: string) => void): (stream: Readable) => void {
  const file = path.join(folder, `${name}.log`);
  if (existsSync(file) && statSync(file).size > MAX_BYTES) renameSync(file, `${file}.old`);
  const target = createWriteStream(file, { flags: "a", mode: 0o600 });
  return (stream) => {
    createInterface({ input: stream }).on("line", (line) => {
      target.write(`${line}\n`);
      const words = wordsOf(line);
      if (words) say(`${name}: ${words}`);
    });
  };
}

/** What of a log line belongs on the screen; null for what is less than a warning. */
export function wordsOf(line: string): string | null {
  if (!line.startsWith("{")) return line.trim() || null;
  const parsed = Line.safeParse(parseJson(line));
  if (!parsed.success) return line;
  const { level, msg, err } = parsed.data;
  if (level < WARNING) return null;
  return err && err.message !== msg ? `${msg}: ${err.message}` : msg;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
