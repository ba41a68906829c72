import path from "node:path";
import { fileURLToPath } from "node:url";

/** The root folder of the checkout that contains these scripts, regardless of where they are called from. */
export const ROOT = fileURLToPath(new URL("../..", import.meta.url)).replace(/[/\\]$/, "");

/** The Node that all programs run on, independent of the Node that started the scripts. It exists after install(). */
export const NODE = path.join(ROOT, "node_modules", "node", "bin", "node");

/** Returns the path of a file in this checkout. */
export const inRoot = (...parts) => path.join(ROOT, ...parts);

/** Returns the environment for the programs that the scripts start: this project's programs come first in PATH. */
export function projectEnv(extra = {}) {
  return {
    ...process.env,
    PATH: [inRoot("node_modules", ".bin"), pathWithoutProject()].join(path.delimiter),
    ...extra,
  };
}

/** Returns PATH without this project's programs: npm must not run on a Node that it is about to replace. */
export function pathWithoutProject() {
  const parts = (process.env.PATH ?? "").split(path.delimiter);
  return parts.filter((part) => !part.startsWith(inRoot("node_modules"))).join(path.delimiter);
}

/** Prints a message to the terminal. */
export function print(text) {
  process.stdout.write(`${text}\n`);
}

/** An error that ends a script with a message and no stack trace. */
export class Halt extends Error {
  constructor(message, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Runs a script's main function. A Halt ends it with its message, any other error with its stack trace. */
export async function main(work) {
  try {
    process.exitCode = (await work()) ?? 0;
  } catch (error) {
    process.stderr.write(error instanceof Halt ? `\n${error.message}\n` : `${error?.stack ?? error}\n`);
    process.exitCode = error instanceof Halt ? error.exitCode : 1;
  }
}
