const TESTS = "\\.(test|spec|report)\\.tsx?$|^testing/";
const TOOLS = "^(sandbox|bench|chaos|fuzz|e2e|scripts|sdk)/";
const ENTRY_POINTS = "^(app|workers)/|^(server|mounted-routes)\\.ts$";
const PRODUCT = "^(lib|db|app|components|workers)/|^(server|mounted-routes)\\.ts$";

/** The layers of docs/architecture.md: imports go down. Cycles between folders are found by scripts/check-steps.mjs. */
module.exports = {
  forbidden: [
    { name: "no-cycles", severity: "error", from: {}, to: { circular: true } },
    { name: "no-unresolved-imports", severity: "error", from: {}, to: { couldNotResolve: true } },
    {
      name: "domain-imports-only-domain",
      comment:
        "lib/domain imports lib/domain, hashing, key arithmetic, viem's address functions and compiled contracts; nothing else.",
      severity: "error",
      from: { path: "^lib/domain/", pathNot: TESTS },
      to: {
        pathNot: [
          "^lib/domain/",
          "^(node:)?(crypto|zlib|net)$",
          "(^|/)node_modules/ipaddr.js/",
          "(^|/)node_modules/viem/_(esm|types)/utils/",
          "(^|/)node_modules/@(scure/bip32|noble/curves)/",
          "^contracts/\\w+\\.json$",
        ],
      },
    },
    {
      name: "config-imports-only-domain",
      comment: "Settings are read before anything else exists.",
      severity: "error",
      from: { path: "^lib/config/", pathNot: TESTS },
      to: { path: PRODUCT, pathNot: ["^lib/(config|domain)/", "^lib/log\\.ts$"] },
    },
    {
      name: "adapters-import-only-domain-and-config",
      comment:
        "lib/chains, lib/outbound and db import lib/domain, lib/config and the log. Each may import its own files.",
      severity: "error",
      from: { path: "^(lib/chains|lib/outbound|db)/", pathNot: TESTS },
      to: { path: PRODUCT, pathNot: ["^$1/", "^lib/(domain|config)/", "^lib/log\\.ts$"] },
    },
    {
      name: "shared-files-import-only-adapters",
      comment: "The files directly in lib (log, errors, batcher, …) serve all use cases and import none.",
      severity: "error",
      from: { path: "^lib/[^/]+$", pathNot: TESTS },
      to: { path: PRODUCT, pathNot: ["^lib/[^/]+$", "^(lib/(domain|config|output|chains|outbound)|db)/"] },
    },
    {
      name: "core-does-not-import-integrations",
      comment: "Entry points register the integrations; removing one changes no file of the core.",
      severity: "error",
      from: { path: "^(lib|db|components)/", pathNot: [TESTS, "^lib/integrations/"] },
      to: { path: "^lib/integrations/" },
    },
    {
      name: "entry-points-import-the-list-of-integrations",
      comment: "The only file outside lib/integrations that names them is lib/integrations/installed.ts.",
      severity: "error",
      from: { path: ENTRY_POINTS, pathNot: TESTS },
      to: { path: "^lib/integrations/", pathNot: "^lib/integrations/installed\\.ts$" },
    },
    {
      name: "integrations-do-not-import-each-other",
      severity: "error",
      from: { path: "^lib/integrations/([^/]+)/", pathNot: TESTS },
      to: { path: "^lib/integrations/[^/]+/", pathNot: "^lib/integrations/($1|shared)/" },
    },
    {
      name: "integrations-import-only-use-cases-and-domain",
      comment: "Integrations call use cases and receive what they need; they run no queries and reach no network.",
      severity: "error",
      from: { path: "^lib/integrations/", pathNot: TESTS },
      to: { path: "^(db|lib/(chains|outbound))/" },
    },
    {
      name: "lib-does-not-import-entry-points-or-components",
      severity: "error",
      from: { path: "^lib/", pathNot: TESTS },
      to: { path: ["^components/", ENTRY_POINTS] },
    },
    {
      name: "components-import-only-domain",
      severity: "error",
      from: { path: "^components/", pathNot: TESTS },
      to: { path: PRODUCT, pathNot: ["^components/", "^lib/domain/"] },
    },
    {
      name: "web-does-not-import-chains",
      comment: "Only workers read chains.",
      severity: "error",
      from: { path: "^app/|^(server|mounted-routes)\\.ts$", pathNot: TESTS },
      to: { path: "^lib/chains/" },
    },
    {
      name: "entry-points-call-use-cases",
      comment:
        "An entry point opens the database and passes it to a use case. Only pages that show rows as they are, and the routes that keep their lists live, call queries.",
      severity: "error",
      from: { path: ENTRY_POINTS, pathNot: [TESTS, "^app/.*page\\.tsx$", "^app/dashboard/[a-z]+/live/route\\.ts$"] },
      to: { path: "^db/", pathNot: ["^db/(client|pooler|replica)\\.ts$"] },
    },
    {
      name: "only-tracing-imports-opentelemetry",
      comment: "Loaded only if a setting names a collector; other modules receive hooks.",
      severity: "error",
      from: { pathNot: [TESTS, "^lib/tracing/spans\\.ts$"] },
      to: { path: "(^|/)node_modules/@opentelemetry/", dependencyTypesNot: ["type-only"] },
    },
    {
      name: "product-does-not-import-solana-libraries",
      comment: "Product code reads Solana with JSON-RPC. Local chains, tests and wallets use the libraries.",
      severity: "error",
      from: { path: PRODUCT, pathNot: TESTS },
      to: { path: "(^|/)node_modules/@solana/" },
    },
    {
      name: "one-module-imports-solana-kit",
      comment: "@solana/kit comes with litesvm; everything else uses @solana/web3.js.",
      severity: "error",
      from: { pathNot: "^(node_modules|sandbox/solana/kit\\.ts$)" },
      to: { path: "(^|/)node_modules/@solana/kit/" },
    },
    {
      name: "product-does-not-import-tools",
      severity: "error",
      from: { pathNot: [TOOLS, TESTS] },
      to: { path: TOOLS },
    },
    {
      name: "sdk-imports-nothing",
      comment: "The package has no dependencies and runs where there is only fetch and WebCrypto.",
      severity: "error",
      from: { path: "^sdk/src/" },
      to: { pathNot: "^sdk/src/" },
    },
    {
      name: "only-tests-import-testing",
      severity: "error",
      from: { pathNot: [TESTS, "^(vitest|playwright)\\.config\\.ts$"] },
      to: { path: "^testing/" },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "(^|/)(\\.next|\\.build|\\.data|\\.live)/" },
    tsConfig: { fileName: "tsconfig.json" },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "node", "default", "types"] },
  },
};
