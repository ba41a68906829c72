import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { Halt } from "../machine/toolchain.mjs";

/**
 * Asks for one line on the terminal without showing what is typed. Where there is no terminal the line is read as it comes.
 * @param {string} question
 * @returns {Promise<string>}
 */
export function askHidden(question) {
  process.stderr.write(question);
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const { stdin } = process;
  const lines = createInterface({ input: stdin, output: nowhere, terminal: stdin.isTTY === true, historySize: 0 });
  return new Promise((resolve, reject) => {
    const refuse = () => reject(new Halt("Nothing was printed."));
    lines.once("line", (line) => {
      lines.off("close", refuse);
      lines.close();
      process.stderr.write("\n");
      resolve(line);
    });
    lines.once("SIGINT", () => lines.close());
    lines.once("close", refuse);
  });
}
