import { execFileSync } from "node:child_process";
import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { buildSync } from "esbuild";

// Builds dist/ from src/: one module without dependencies, and the types. `npm pack` runs it.
const folder = import.meta.dirname;
const inFolder = (...names) => path.join(folder, ...names);
rmSync(inFolder("dist"), { recursive: true, force: true });
buildSync({
  entryPoints: [inFolder("src", "stablegate.ts")],
  outfile: inFolder("dist", "stablegate.js"),
  bundle: true,
  format: "esm",
  platform: "neutral",
  target: "es2022",
  legalComments: "none",
  tsconfig: inFolder("tsconfig.json"),
});
const compiler = createRequire(import.meta.url).resolve("typescript/bin/tsc");
execFileSync(process.execPath, [compiler, "-p", inFolder("tsconfig.json")], { stdio: "inherit" });
// The compiler keeps the extension .ts in the imports of declarations, which some versions of it cannot resolve without the sources.
for (const name of readdirSync(inFolder("dist")).filter((file) => file.endsWith(".d.ts"))) {
  const file = inFolder("dist", name);
  const text = readFileSync(file, "utf8");
  writeFileSync(file, text.replaceAll(/(from "\.\/[\w-]+)\.ts"/g, '$1.js"'));
}
copyFileSync(inFolder("..", "LICENSE"), inFolder("LICENSE"));
