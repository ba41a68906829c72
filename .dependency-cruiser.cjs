const TESTS = "\\.(test|spec)\\.tsx?$|^testing/";
const OUTSIDE = "^(sandbox|bench|chaos|fuzz|e2e|scripts)/";

/** The floors of docs/architecture.md: one direction, no cycles. */
module.exports = {
  forbidden: [
    { name: "no-cycles", severity: "error", from: {}, to: { circular: true } },
    { name: "no-unknown-imports", severity: "error", from: {}, to: { couldNotResolve: true } },
    {
      name: "rules-know-nothing",
      comment:
        "lib/domain imports lib/domain, hashing, arithmetic of keys, viem's address functions and what contracts compile to; nothing else.",
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
      name: "tools-know-rules-only",
      severity: "error",
      from: { path: "^(lib/chains|db)/", pathNot: TESTS },
      to: {
        path: "^(lib|app|components|workers|server)",
        pathNot: ["^lib/(domain|chains)/", "^lib/(config/|log\\.ts$)"],
      },
    },
    {
      name: "database-knows-no-chain",
      severity: "error",
      from: { path: "^db/", pathNot: TESTS },
      to: { path: "^lib/chains/" },
    },
    {
      name: "chains-know-no-database",
      severity: "error",
      from: { path: "^lib/chains/", pathNot: TESTS },
      to: { path: "^db/" },
    },
    {
      name: "stories-know-no-doors",
      severity: "error",
      from: { path: "^lib/", pathNot: TESTS },
      to: { path: "^(app|components|workers)/|^server\\.ts$" },
    },
    {
      name: "view-knows-rules-only",
      severity: "error",
      from: { path: "^components/", pathNot: TESTS },
      to: { path: "^(lib|db|app|workers)/|^server\\.ts$", pathNot: ["^lib/domain/"] },
    },
    {
      name: "pages-know-no-chain",
      severity: "error",
      from: { path: "^(app/|server\\.ts$)", pathNot: TESTS },
      to: { path: "^lib/chains/" },
    },
    {
      name: "doors-ask-stories",
      comment:
        "A door opens the database and hands it to a story; only a page that shows rows as they are, and the route that keeps its list live, read them themselves.",
      severity: "error",
      from: {
        path: "^(app|workers)/|^server\\.ts$",
        pathNot: [TESTS, "^app/.*page\\.tsx$", "^app/dashboard/[a-z]+/live/route\\.ts$"],
      },
      to: { path: "^db/", pathNot: ["^db/(client|pooler|replica)\\.ts$"] },
    },
    {
      name: "only-tracing-knows-opentelemetry",
      comment: "And only once a setting names a collector: everything else is handed hooks.",
      severity: "error",
      from: { pathNot: [TESTS, "^lib/tracing/spans\\.ts$"] },
      to: { path: "(^|/)node_modules/@opentelemetry/", dependencyTypesNot: ["type-only"] },
    },
    {
      name: "nothing-imports-what-stands-outside",
      severity: "error",
      from: { pathNot: [OUTSIDE, TESTS] },
      to: { path: OUTSIDE },
    },
    {
      name: "test-server-is-for-tests",
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
