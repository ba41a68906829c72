import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { type BuildResult, context, type Plugin } from "esbuild";
import type { startVersion, VersionOptions } from "@/sandbox/dev/version";
import { bundleOptions } from "@/scripts/build.mjs";
import { ASSET_FILES, makeAssets } from "@/scripts/page-assets.mjs";

interface Options extends Omit<VersionOptions, "number"> {
  /** The folder of the project. */
  root: string;
  /** Called before a version ends so that another one can start. */
  onReplace(): void;
  /** Called when a version listens. `readyMs`: milliseconds since it was compiled. */
  onVersion(version: { port: number; number: number; readyMs: number }): void;
  /** Called with a message if a version does not compile or does not start. */
  onFailure(message: string): void;
}

type StartVersion = typeof startVersion;

interface Running {
  start: StartVersion;
  number: number;
  version: Awaited<ReturnType<StartVersion>>;
}

/** The script that reloads an open payment page when a different version responds. */
const FOLLOW = `;{let seen;new EventSource("/dev/version").onmessage=({data})=>{if(seen&&seen!==data)location.reload();seen=data}}`;

/**
 * Compiles the API and the payment page now, and again whenever one of their files changes. Each result is loaded into this process as a
 * version that replaces the previous one. If it does not compile or start, the previous version stays in use.
 */
export async function watchVersions(options: Options): Promise<{ close(): Promise<void> }> {
  const { root, settings, pages, onReplace, onVersion, onFailure } = options;
  const outfile = path.join(root, ".build", "dev", "web.js");
  let running: Running | null = null;
  let loads = 0;
  let turn = Promise.resolve();

  function fail(error: unknown): void {
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
    onFailure(running ? `${message}\nVersion ${running.number} stays in use.` : message);
  }

  async function run(start: StartVersion, number: number, since: number): Promise<void> {
    const version = await start({ settings, pages, number });
    running = { start, number, version };
    onVersion({ port: version.port, number, readyMs: Math.round(performance.now() - since) });
  }

  /** The previous version ends first, because both would share the context of this process, including its cached pages. */
  async function replace({ errors }: BuildResult): Promise<void> {
    if (errors.length > 0) return fail("The API and the payment page do not compile.");
    const since = performance.now();
    const before = running;
    let isEnded = false;
    loads += 1;
    try {
      const loaded: { startVersion: StartVersion } = await import(`${pathToFileURL(outfile).href}?load=${loads}`);
      onReplace();
      isEnded = true;
      await before?.version.close();
      await run(loaded.startVersion, (before?.number ?? 0) + 1, since);
    } catch (error) {
      fail(error);
      // If the new version could not be loaded, the previous one is still running.
      if (before && isEnded) await run(before.start, before.number, since).catch(fail);
    }
  }

  const watcher = await context({
    ...(await bundleOptions()),
    absWorkingDir: root,
    entryPoints: [path.join(root, "sandbox/dev/version.ts")],
    outfile,
    plugins: [
      currentAssets(root),
      {
        name: "versions",
        setup: (build) =>
          build.onEnd((result) => {
            turn = turn.then(() => replace(result));
            return turn;
          }),
      },
    ],
  });
  await watcher.watch();
  return {
    async close() {
      await watcher.dispose();
      await turn;
      await running?.version.close();
    },
  };
}

/** Writes the bundled scripts and style sheets when their sources change, and makes open payment pages reload for new versions. */
function currentAssets(root: string): Plugin {
  return {
    name: "assets",
    setup(build) {
      for (const file of ASSET_FILES)
        build.onLoad({ filter: new RegExp(`[/\\\\]${file.replaceAll("/", "[/\\\\]")}$`) }, async () => {
          const { text, sources } = makeAssets(file, `${root}/`);
          const cursor = path.join(root, file);
          if ((await readFile(cursor, "utf8")) !== text) await writeFile(cursor, text);
          const contents = text.replace("export const SCRIPT =", "const PAGE_SCRIPT =");
          const follow = `export const SCRIPT = PAGE_SCRIPT + ${JSON.stringify(FOLLOW)};`;
          return { contents: contents === text ? text : contents + follow, loader: "ts", watchFiles: sources };
        });
    },
  };
}
