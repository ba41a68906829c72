import { readFileSync } from "node:fs";
import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

const RECIPES_FOLDER = "docs/recipes";

/**
 * Returns the files of a recipe: the code blocks of its page whose fence names a file, such as "```js shop.mjs". The page is the only
 * copy of the code.
 * @returns file contents by relative path
 */
export function readRecipe(name: string): ReadonlyMap<string, string> {
  const page = readFileSync(path.join(RECIPES_FOLDER, `${name}.md`), "utf8");
  const blocks = page.matchAll(/^```\w+ (\S+)\n([\s\S]*?)^```$/gm);
  return new Map([...blocks].map(([, file = "", text = ""]) => [file, text]));
}

/**
 * Writes the files of a recipe, unchanged, to a new folder.
 * @param parent the folder from which Node finds the packages that the recipe imports; a temporary folder if there are none
 * @returns the new folder
 */
export async function writeRecipe(name: string, parent = tmpdir()): Promise<string> {
  const folder = await mkdtemp(path.join(parent, `${name}-`));
  for (const [file, text] of readRecipe(name)) {
    const target = path.join(folder, file);
    await mkdir(path.dirname(target), { recursive: true });
    await writeFile(target, text);
  }
  return folder;
}
