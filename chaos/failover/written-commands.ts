import { readFile } from "node:fs/promises";
import path from "node:path";
import { ROOT } from "@/scripts/root";

/** The lines of docs/scaling.md for a primary and its standby, by the names that stand behind their fences. */
export type WrittenCommands = (name: string) => string;

/**
 * Reads them as operators do; what is particular to a machine is exchanged.
 * @param exchanged what stands in the document → what stands in its place here
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
