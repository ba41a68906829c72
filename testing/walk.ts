import { Session } from "node:inspector/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";

const PRODUCT = /^(?:app|components|db|lib|workers)\/|^server\.ts$/;
/** The form of exports in the test runner: reading a constant does not count as a call into its file. */
const READS_EXPORT = /^\(\)\s*=>\s*\{\s*try\s*\{\s*return\b/;

/** Returns the product's files, by their paths from the root, in which a function is called while `run` is running. */
export async function filesEntered(run: () => Promise<unknown>): Promise<string[]> {
  const session = new Session();
  session.connect();
  try {
    await session.post("Profiler.enable");
    await session.post("Debugger.enable");
    await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
    await session.post("Profiler.takePreciseCoverage");
    await run();
    const { result } = await session.post("Profiler.takePreciseCoverage");
    const files = await Promise.all(
      result.map(async ({ url, scriptId, functions }) => {
        const file = productFile(url);
        if (!file) return [];
        const { scriptSource } = await session.post("Debugger.getScriptSource", { scriptId });
        const entered = functions.flatMap(({ ranges: [whole] }) =>
          whole && whole.count > 0 ? [scriptSource.slice(whole.startOffset, whole.endOffset)] : [],
        );
        return entered.some((text) => !READS_EXPORT.test(text)) ? [file] : [];
      }),
    );
    return [...new Set(files.flat())].toSorted();
  } finally {
    session.disconnect();
  }
}

function productFile(url: string): string | null {
  if (!/^(file:\/\/)?\//.test(url)) return null;
  const file = path.relative(process.cwd(), url.startsWith("/") ? url : fileURLToPath(url));
  return PRODUCT.test(file) && !/\.test\./.test(file) ? file : null;
}
