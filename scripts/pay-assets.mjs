// Writes components/pay/assets.ts: the payment page's style sheet and scripts, bundled and minified, as texts; and the script of
// lib/integrations/greenfield/modal.ts for the pages of shops.
// Run it after a change in components/pay/style.css, components/pay/client/, components/pay/embed.ts or lib/integrations/greenfield/modal.ts; a test fails when that was forgotten.
import { createHash } from "node:crypto";
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
  const wallets = bundle("client/wallets/main.ts", {});
  const hash = createHash("sha256").update(wallets).digest();
  const file = `wallets-${hash.toString("hex").slice(0, 16)}.js`;
  const integrity = `sha256-${hash.toString("base64")}`;
  const script = bundle("client/main.ts", {
    WALLET_SOURCE: JSON.stringify(`/pay/assets/${file}`),
    WALLET_INTEGRITY: JSON.stringify(integrity),
  });
  return [
    "// Written by scripts/pay-assets.mjs from style.css, client/ and embed.ts.",
    `export const STYLE =\n  ${JSON.stringify(style)};`,
    `export const SCRIPT =\n  ${JSON.stringify(script)};`,
    `export const RETRY_SCRIPT =\n  ${JSON.stringify(bundle("client/retry.ts", {}))};`,
    `export const WALLET_FILE = ${JSON.stringify(file)};`,
    `export const WALLET_INTEGRITY = ${JSON.stringify(integrity)};`,
    `export const WALLET_SCRIPT =\n  ${JSON.stringify(wallets)};`,
    `export const EMBED =\n  ${JSON.stringify(bundle("embed.ts", {}))};`,
    "",
  ].join("\n");
}

/** Returns the text of lib/integrations/greenfield/modal-script.ts. */
export function modalScript() {
  return [
    "// Written by scripts/pay-assets.mjs from modal.ts.",
    `export const MODAL_SCRIPT =\n  ${JSON.stringify(bundle("modal.ts", {}, "lib/integrations/greenfield"))};`,
    "",
  ].join("\n");
}

/** Returns a script, minified. `define` holds texts of JavaScript by the names that they replace. */
function bundle(entry, define, folder = "components/pay") {
  const built = buildSync({
    entryPoints: [`${root}${folder}/${entry}`],
    alias: { "@": root },
    bundle: true,
    minify: true,
    format: "iife",
    target: "es2020",
    write: false,
    define,
  });
  return built.outputFiles[0].text.trim();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(`${root}components/pay/assets.ts`, payAssets());
  writeFileSync(`${root}lib/integrations/greenfield/modal-script.ts`, modalScript());
}
