import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { npmWith } from "@/testing/published-client";
import { writeRecipe } from "@/testing/recipes/recipe";
import { packSdk } from "@/testing/sdk/packages";

const run = promisify(execFile);
/** A folder inside the project, from which Node finds the packages of the project. */
const IN_PROJECT = path.resolve(".data/recipes");
let packed: ReturnType<typeof packSdk> | undefined;

/**
 * Writes a recipe to a new folder in which the SDK is installed from its tarball.
 * @param packages the other packages that the recipe imports, each at an exact version; null for packages of the project
 * @returns the folder; null, with a message, if the registry is not available
 */
export async function writeNodeRecipe(name: string, packages: readonly string[] | null): Promise<string | null> {
  const parent = packages === null ? IN_PROJECT : await npmWith(packages);
  if (parent === null) return null;
  await mkdir(parent, { recursive: true });
  packed ??= packSdk();
  const { tarball } = await packed;
  const folder = await writeRecipe(name, parent);
  await writeFile(path.join(folder, "package.json"), '{"private":true,"type":"module"}');
  const flags = ["--offline", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  await run("npm", ["install", ...flags, tarball], { cwd: folder });
  return folder;
}

/** Removes the tarball of the SDK. */
export async function removePackedSdk(): Promise<void> {
  await (await packed)?.remove();
  packed = undefined;
}
