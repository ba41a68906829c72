import { access, constants } from "node:fs/promises";
import path from "node:path";
import { capture, run } from "./processes.mjs";
import { Halt, inRoot, NODE, pathWithoutProject, print } from "./toolchain.mjs";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "microsoft-edge"];
const LOCATIONS = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

/**
 * Returns the path of a Chromium that starts: CHROMIUM_PATH, one on this machine, Playwright's own, or one installed now.
 * @throws Halt with instructions if none can be obtained.
 */
export async function findOrGetChromium() {
  const found = (await findChromium()) ?? (await getWithPlaywright()) ?? (await getWithApt());
  if (found) return found;
  throw new Halt(
    "The browser tests need Chromium, which was not found: not in PATH, not from Playwright (npx playwright install chromium), not from apt-get (needs root). Install it, or set CHROMIUM_PATH to the program.",
    1,
  );
}

async function findChromium() {
  const folders = pathWithoutProject().split(path.delimiter);
  const candidates = [
    process.env.CHROMIUM_PATH,
    ...NAMES.flatMap((name) => folders.map((folder) => path.join(folder, name))),
    ...LOCATIONS,
    await playwrightsOwn(),
  ];
  for (const candidate of candidates.filter(Boolean)) {
    if (await doesStart(candidate)) return candidate;
  }
  return null;
}

/** Returns true if the browser starts. Some distributions ship a "chromium" that only prints how to install it. */
async function doesStart(file) {
  try {
    await access(file, constants.X_OK);
  } catch {
    return false;
  }
  const { code, output } = await capture(file, ["--version"]);
  return code === 0 && /\d+\.\d+/.test(output);
}

async function playwrightsOwn() {
  const { chromium } = await import("@playwright/test");
  return chromium.executablePath();
}

async function getWithPlaywright() {
  print("Chromium is not on this machine; downloading Playwright's …");
  const asRoot = process.getuid?.() === 0 ? ["--with-deps"] : [];
  await run(NODE, [inRoot("node_modules", "@playwright", "test", "cli.js"), "install", ...asRoot, "chromium"]);
  return findChromium();
}

async function getWithApt() {
  if (process.getuid?.() !== 0) return null;
  print("Trying apt-get install chromium …");
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  if ((await run("apt-get", ["update"], { env })) !== 0) return null;
  await run("apt-get", ["install", "-y", "--no-install-recommends", "chromium"], { env });
  return findChromium();
}
