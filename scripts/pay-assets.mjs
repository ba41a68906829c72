// Writes components/pay/assets.ts: the payment page's style sheet and scripts, bundled and minified, as texts.
// Run it after a change in components/pay/style.css, components/pay/client/ or components/pay/embed.ts; a test says when that was forgotten.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { buildSync, transformSync } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));

/** The text of components/pay/assets.ts. */
export function payAssets() {
  const style = transformSync(readFileSync(`${root}components/pay/style.css`, "utf8"), {
    loader: "css",
    minify: true,
    charset: "utf8",
  }).code.trim();
  return [
    "// Written by scripts/pay-assets.mjs from style.css, client/ and embed.ts.",
    `export const STYLE =\n  ${JSON.stringify(style)};`,
    `export const SCRIPT =\n  ${JSON.stringify(scriptOf("client/main.ts"))};`,
    `export const EMBED =\n  ${JSON.stringify(scriptOf("embed.ts"))};`,
    "",
  ].join("\n");
}

function scriptOf(entry) {
  const { outputFiles } = buildSync({
    entryPoints: [`${root}components/pay/${entry}`],
    alias: { "@": root },
    bundle: true,
    minify: true,
    format: "iife",
    target: "es2020",
    write: false,
  });
  return outputFiles[0].text.trim();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(`${root}components/pay/assets.ts`, payAssets());
}
