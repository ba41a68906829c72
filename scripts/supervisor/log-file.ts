import { createWriteStream, existsSync, renameSync, statSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import * as z from "zod";

const MAX_BYTES = 20 * 1024 * 1024;
const WARNING = 40;
const Line = z.looseObject({
  level: z.number(),
  msg: z.string().default(""),
  err: z.looseObject({ message: z.string() }).optional(),
});

export interface LogFile {
  keep(stream: Readable, from: "stdout" | "stderr"): void;
}

/** Writes a program's output to `<folder>/<name>.log` and passes the lines for the screen to `print`. */
export function openLogFile(folder: string, name: string, print: (text: string) => void): LogFile {
  const file = path.join(folder, `${name}.log`);
  if (existsSync(file) && statSync(file).size > MAX_BYTES) renameSync(file, `${file}.old`);
  const target = createWriteStream(file, { flags: "a", mode: 0o600 });
  return {
    keep(stream, from) {
      createInterface({ input: stream }).on("line", (line) => {
        target.write(`${line}\n`);
        const output = consoleLine(line, from);
        if (output) print(`${name}: ${output}`);
      });
    },
  };
}

/** Returns the text of a line for the screen: warnings, errors and other output on stderr; null for other lines. */
export function consoleLine(line: string, from: "stdout" | "stderr"): string | null {
  const parsed = Line.safeParse(line.startsWith("{") ? parseJson(line) : null);
  if (!parsed.success) return from === "stderr" ? line.trim() || null : null;
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
