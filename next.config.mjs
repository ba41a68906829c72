// Headers of pages are set by server.ts (lib/http/page-guard.ts), which makes their nonce.

/** @type {import("next").NextConfig} */
const config = {
  poweredByHeader: false,
  // Types are checked by `npm run check`; a build on a merchant's machine need not repeat it.
  typescript: { ignoreBuildErrors: true },
  // What next-intl's plugin would do; the plugin would load a compiler into every process that reads this file.
  turbopack: { resolveAlias: { "next-intl/config": "./app/language/request.ts" } },
  serverExternalPackages: ["postgres", "pino", "@node-rs/argon2", "drizzle-orm"],
};

export default config;
