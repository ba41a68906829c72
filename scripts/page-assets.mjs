// Writes the files of ASSETS: bundled and minified style sheets and scripts of pages, as strings. Run it after a change in
// components/pay/style.css, components/pay/client/, components/pay/embed.ts, components/docs/style.css, components/docs/client/,
// docs/callbacks.md or lib/integrations/greenfield/modal.ts; a test fails if it was not run.
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { buildSync, transformSync } from "esbuild";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** The generated files, each with the function that returns its exports. That function receives a function that bundles a script. */
const ASSETS = {
  "components/docs/assets.ts": docsAssets,
  "components/pay/assets.ts": payAssets,
  "lib/integrations/greenfield/modal-script.ts": modalScript,
};

/** The paths of the generated files. */
export const ASSET_FILES = Object.keys(ASSETS);

/**
 * Returns the text of one of ASSET_FILES, and the absolute paths of all files that it depends on.
 * @param {string} file @param {string} root the folder of the project, with a slash at its end
 * @returns {{ text: string, sources: string[] }}
 */
export function makeAssets(file, root = ROOT) {
  const sources = new Set();
  const constants = ASSETS[file]({
    bundle: (entry, define = {}) => bundle(root, sources, { entry, define }),
    read(entry) {
      sources.add(root + entry);
      return readFileSync(root + entry, "utf8");
    },
    style(entry) {
      sources.add(root + entry);
      const options = { loader: "css", minify: true, charset: "utf8" };
      return transformSync(readFileSync(root + entry, "utf8"), options).code.trim();
    },
  });
  const lines = Object.entries(constants).map(([name, text]) => {
    const start = `export const ${name} =`;
    const value = JSON.stringify(text);
    return `${start.length + value.length < 120 ? `${start} ` : `${start}\n  `}${value};`;
  });
  const text = ["// Written by scripts/page-assets.mjs.", ...lines, ""].join("\n");
  return { text, sources: [...sources] };
}

function payAssets({ bundle, style }) {
  const wallets = bundle("components/pay/client/wallets/main.ts");
  const hash = createHash("sha256").update(wallets).digest();
  const file = `wallets-${hash.toString("hex").slice(0, 16)}.js`;
  const integrity = `sha256-${hash.toString("base64")}`;
  return {
    STYLE: style("components/pay/style.css"),
    SCRIPT: bundle("components/pay/client/main.ts", {
      WALLET_SOURCE: JSON.stringify(`/pay/assets/${file}`),
      WALLET_INTEGRITY: JSON.stringify(integrity),
    }),
    RETRY_SCRIPT: bundle("components/pay/client/retry.ts"),
    WALLET_FILE: file,
    WALLET_INTEGRITY: integrity,
    WALLET_SCRIPT: wallets,
    EMBED: bundle("components/pay/embed.ts"),
  };
}

/** The languages of the verifiers in docs/callbacks.md, as its code blocks name them. */
const VERIFIERS = {
  VERIFY_NODE: "js",
  VERIFY_PHP: "php",
  VERIFY_PYTHON: "python",
  VERIFY_GO: "go",
  VERIFY_JAVA: "java",
  VERIFY_CSHARP: "csharp",
  VERIFY_RUBY: "ruby",
};

function docsAssets({ bundle, style, read }) {
  const callbacks = read("docs/callbacks.md");
  const codeOf = (fence) => {
    const code = callbacks.split(`\n\`\`\`${fence} verifier\n`)[1]?.split("\n```")[0];
    if (code === undefined) throw new Error(`docs/callbacks.md has no code block "${fence} verifier".`);
    return code;
  };
  return {
    DOCS_STYLE: style("components/docs/style.css"),
    DOCS_SCRIPT: bundle("components/docs/client/main.ts"),
    ...Object.fromEntries(Object.entries(VERIFIERS).map(([name, fence]) => [name, codeOf(fence)])),
  };
}

function modalScript({ bundle }) {
  return { MODAL_SCRIPT: bundle("lib/integrations/greenfield/modal.ts") };
}

/** Returns a minified script and adds its files to `sources`. `define` contains JavaScript expressions by the names that they replace. */
function bundle(root, sources, { entry, define }) {
  const built = buildSync({
    absWorkingDir: root,
    entryPoints: [entry],
    alias: { "@": root },
    bundle: true,
    minify: true,
    format: "iife",
    target: "es2020",
    write: false,
    metafile: true,
    define,
  });
  for (const input of Object.keys(built.metafile.inputs)) sources.add(root + input);
  return built.outputFiles[0].text.trim();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const file of ASSET_FILES) writeFileSync(ROOT + file, makeAssets(file).text);
}
