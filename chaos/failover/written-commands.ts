import { readFile } from "node:fs/promises";
import path from "node:path";
import { ROOT } from "@/scripts/root";

/** A function that returns the commands in docs/scaling.md for a primary and its standby, by the name that follows their opening fence. */
export type WrittenCommands = (name: string) => string;

/**
 * Reads the commands in the document that operators use, and replaces values that are particular to a machine.
 * @param exchanged the replacements, by the text that they replace
 */
export async function readCommands(exchanged: Readonly<Record<string, string>>): Promise<WrittenCommands> {
  const text = await readFile(path.join(ROOT, "docs", "scaling.md"), "utf8");
  const blocks = new Map(
    [...text.matchAll(/^```\w+ (\S+)\n([\s\S]*?)^```$/gm)].map(([, name, block]) => [name, block]),
  );
  return (name) => {
    const block = blocks.get(name);
    if (block === undefined) throw new Error(`docs/scaling.md has no lines named ${name}`);
    return Object.entries(exchanged).reduce((lines, [from, to]) => lines.replaceAll(from, to), block);
  };
}
