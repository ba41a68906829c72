// server.ts (lib/http/page-guard.ts) sets the headers of pages, because it generates their nonce.

/** @type {import("next").NextConfig} */
const config = {
  poweredByHeader: false,
  // Types are checked by `npm run check`; a build on a merchant's machine need not repeat it.
  typescript: { ignoreBuildErrors: true },
  // Replaces next-intl's plugin, which would load a compiler into every process that reads this file.
  turbopack: { resolveAlias: { "next-intl/config": "./app/language/request.ts" } },
  experimental: {
    // Each page is loaded at its first request. Loaded at startup, all pages of the back office would take 120 MB of memory.
    preloadEntriesOnStart: false,
    // The cache of an earlier build would take 270 MB of memory, and a build takes longer with it than without.
    turbopackFileSystemCacheForBuild: false,
  },
  serverExternalPackages: ["postgres", "pino", "@node-rs/argon2", "drizzle-orm", "nodemailer"],
};

export default config;
