/** For every page that Next itself answers; the payment page and the API set their own. */
const PAGE_HEADERS = [
  { key: "Content-Security-Policy", value: "frame-ancestors 'none'; base-uri 'self'; object-src 'none'" },
  { key: "X-Content-Type-Options", value: "nosniff" },
  { key: "X-Frame-Options", value: "DENY" },
  { key: "Referrer-Policy", value: "same-origin" },
  { key: "Permissions-Policy", value: "camera=(), microphone=(), geolocation=(), payment=()" },
];

/** @type {import("next").NextConfig} */
const config = {
  poweredByHeader: false,
  // Types are checked by `npm run check`; a build on a merchant's machine need not repeat it.
  typescript: { ignoreBuildErrors: true },
  // What next-intl's plugin would do; the plugin would load a compiler into every process that reads this file.
  turbopack: { resolveAlias: { "next-intl/config": "./app/language/request.ts" } },
  serverExternalPackages: ["postgres", "pino", "@node-rs/argon2", "drizzle-orm", "nodemailer"],
  headers: async () => [{ source: "/((?!pay/|docs$|api/(?!auth/)|_next/).*)", headers: PAGE_HEADERS }],
};

export default config;
