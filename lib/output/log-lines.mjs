import { writeSync } from "node:fs";
import { format as formatArguments, stripVTControlCharacters } from "node:util";

// This file is plain JavaScript without packages, because the scripts that install packages also write log lines.

/** Levels of pino. */
const LEVELS = { info: 30, warn: 40, error: 50 };
const NAMES = { 10: "TRACE", 20: "DEBUG", 30: "INFO", 40: "WARN", 50: "ERROR", 60: "FATAL" };
const FDS = { stdout: 1, stderr: 2 };

/**
 * Returns the format of log lines: LOG_FORMAT, or text at a terminal and JSON for everything else.
 * @param {Readonly<Record<string, string | undefined>>} env
 * @param {boolean} isTerminal true if standard output is one
 * @returns {"json" | "pretty"}
 */
export function logFormat(env, isTerminal) {
  const given = env["LOG_FORMAT"]?.trim();
  if (given === "json" || given === "pretty") return given;
  return isTerminal ? "pretty" : "json";
}

/**
 * Turns output as it comes into lines of one format. In "json" what is no log line yet becomes one: lines that come together are one
 * message, so that a stack trace stays whole. In "pretty" log lines become text, and text stays as it is.
 * @param {{ format: "json" | "pretty", role: string, level: number, now: () => number }} how role, level and time (Unix milliseconds) of lines
 * that are no log lines yet
 */
export function createLines({ format, role, level, now }) {
  let rest = "";
  /** @param {string} text */
  const convert = (text) => (format === "pretty" ? toText(text) : toJson(text, { role, level, now }));
  return {
    /** @param {string} text @returns {string} what is complete, for output */
    write(text) {
      const all = rest + text;
      const end = all.lastIndexOf("\n") + 1;
      rest = all.slice(end);
      return convert(all.slice(0, end));
    },
    /** @returns {string} a last line that was not ended */
    end() {
      const last = rest;
      rest = "";
      return last ? convert(`${last}\n`) : "";
    },
  };
}

/** @param {string} text whole lines @param {{ role: string, level: number, now: () => number }} of */
function toJson(text, { role, level, now }) {
  const lines = [];
  let plain = [];
  const endPlain = () => {
    const msg = stripVTControlCharacters(plain.join("\n")).trim();
    if (msg) lines.push(JSON.stringify({ level, time: now(), role, msg }));
    plain = [];
  };
  for (const line of text.split("\n")) {
    if (!parseLogLine(line)) {
      plain.push(line);
      continue;
    }
    endPlain();
    lines.push(line);
  }
  endPlain();
  return lines.map((line) => `${line}\n`).join("");
}

/** @param {string} text whole lines */
function toText(text) {
  return text
    .split("\n")
    .map((line) => {
      const parsed = parseLogLine(line);
      return parsed ? prettyLine(parsed) : line;
    })
    .join("\n");
}

/** @param {Record<string, any>} line */
function prettyLine({ level, time, role, msg, err, ...facts }) {
  const at = new Date(time).toISOString().replace("T", " ").replace("Z", "");
  const more = Object.entries(facts).map(
    ([name, value]) => `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`,
  );
  const head = [at, (NAMES[level] ?? String(level)).padEnd(5), role, msg, ...more].filter(
    (part) => part !== undefined && part !== "",
  );
  return `${head.join(" ")}${err ? `\n${err.stack ?? err.message ?? JSON.stringify(err)}` : ""}`;
}

/** @param {string} line @returns {Record<string, any> | null} */
function parseLogLine(line) {
  if (!line.startsWith("{")) return null;
  try {
    const parsed = JSON.parse(line);
    return typeof parsed.level === "number" && typeof parsed.time === "number" ? parsed : null;
  } catch {
    return null;
  }
}

/**
 * The handling of this process's output once `takeOverOutput` was called; the functions write past it.
 * @type {{ format: "json" | "pretty", now: () => number, stdout: (text: string) => boolean, stderr: (text: string) => boolean } | null}
 */
let output = null;

/**
 * Turns every line that this process writes from now on into a log line, including those of packages, console and Node itself.
 * @param {string} role of lines that are no log lines yet
 * @param {Readonly<Record<string, string | undefined>>} env
 * @param {() => number} now Unix milliseconds
 */
export function takeOverOutput(role, env, now) {
  const format = logFormat(env, process.stdout.isTTY === true);
  if (output) return;
  output = {
    format,
    now,
    stdout: process.stdout.write.bind(process.stdout),
    stderr: process.stderr.write.bind(process.stderr),
  };
  if (format === "pretty") return;
  takeOver("stdout", { role, level: LEVELS.info, now });
  takeOver("stderr", { role, level: LEVELS.error, now });
  const warn = (/** @type {string} */ msg) => writeLogLines(toJson(`${msg}\n`, { role, level: LEVELS.warn, now }));
  console.warn = (...args) => warn(formatArguments(...args));
  // Node's own listener bypasses process.stderr.
  process.removeAllListeners("warning");
  process.on("warning", ({ name, message }) => warn(`${name}: ${message}`));
}

/** @returns {boolean} whether `takeOverOutput` made every line of this process JSON */
export function writesJsonLines() {
  return output?.format === "json";
}

/** @param {"stdout" | "stderr"} name @param {{ role: string, level: number, now: () => number }} of */
function takeOver(name, of) {
  const stream = process[name];
  const write = stream.write.bind(stream);
  const lines = createLines({ format: "json", ...of });
  stream.write = (chunk, encoding, callback) => {
    const text = typeof chunk === "string" ? chunk : Buffer.from(chunk).toString("utf8");
    return write(lines.write(text), typeof encoding === "function" ? encoding : callback);
  };
  process.once("exit", () => writeAtExit(lines.end(), FDS[name]));
}

/**
 * Writes log lines of this process to standard output.
 * @param {string} text whole lines of JSON
 */
export function writeLogLines(text) {
  if (!output) process.stdout.write(text);
  else output.stdout(output.format === "pretty" ? toText(text) : text);
}

/**
 * The same at the end of the process, when only a synchronous write still arrives.
 * @param {string} text whole lines of JSON
 */
export function writeLastLogLines(text) {
  writeAtExit(output?.format === "pretty" ? toText(text) : text, FDS.stdout);
}

/** @param {string} text @param {number} fd */
function writeAtExit(text, fd) {
  try {
    if (text) writeSync(fd, text);
  } catch {
    // The reader is gone or too slow: the process ends all the same.
  }
}

/**
 * Passes the output of another process on, as log lines.
 * @param {import("node:stream").Readable} stream
 * @param {"stdout" | "stderr"} to
 * @param {string} role of lines that are no log lines yet
 */
export function passLogLines(stream, to, role) {
  const lines = createLines({
    format: output?.format ?? "pretty",
    now: output?.now ?? (() => 0),
    role,
    level: to === "stderr" ? LEVELS.error : LEVELS.info,
  });
  const write = (/** @type {string} */ text) => text && (output ? output[to](text) : process[to].write(text));
  stream.setEncoding("utf8");
  stream.on("data", (/** @type {string} */ text) => write(lines.write(text)));
  stream.on("end", () => write(lines.end()));
}
