import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { configDefaults, defineConfig } from "vitest/config";
import { HeaviestFirst } from "./testing/heaviest-first.ts";

const root = fileURLToPath(new URL(".", import.meta.url));
const exclude = [...configDefaults.exclude, "e2e/**", ".next/**", ".build/**", ".data/**", ".live/**"];
const INTEGRATION = "**/*.integration.test.ts";
/** A pattern for code that changes a process for later files: mocks, spies, settings, and the context of the web process. */
const CHANGES = /\bvi\.(?:mock|doMock|spyOn|stub|useFake)|process\.(?:env\[[^\]]*\]|exitCode) = |globalThis\.\w+ = /;
/** The folder of the fuzz test, which observes its whole process, including the effects of earlier files. */
const OBSERVER = "fuzz/";
const single = globSync(INTEGRATION, { cwd: root, exclude: ["node_modules/**", ".*/**"] }).filter(
  (file) => file.startsWith(OBSERVER) || CHANGES.test(readFileSync(root + file, "utf8")),
);
const DATABASE = "./testing/database/server.ts";
const shared = { environment: "node" as const, testTimeout: 60_000, hookTimeout: 120_000 };

export default defineConfig({
  test: {
    // Twice the number of cores of the target machine, because tests spend most of their time waiting.
    maxWorkers: 4,
    sequence: { sequencer: HeaviestFirst },
    projects: [
      {
        resolve: { alias: { "@": root.replace(/\/$/, "") } },
        test: {
          ...shared,
          name: "unit",
          include: ["**/*.test.{ts,tsx,mjs}"],
          exclude: [...exclude, "**/*.integration.test.ts"],
        },
      },
      {
        resolve: { alias: { "@": root.replace(/\/$/, "") } },
        test: {
          ...shared,
          name: "integration",
          include: [INTEGRATION],
          exclude: [...exclude, ...single],
          globalSetup: DATABASE,
          // Loading all modules again for each file took a third of the time.
          isolate: false,
        },
      },
      {
        resolve: { alias: { "@": root.replace(/\/$/, "") } },
        test: { ...shared, name: "integration-alone", include: single, exclude, globalSetup: DATABASE },
      },
      {
        // Prints numbers and asserts none: `npm run walks`. Not part of `npm test`.
        resolve: { alias: { "@": root.replace(/\/$/, "") } },
        test: { ...shared, name: "report", include: ["**/*.report.ts"], exclude, globalSetup: DATABASE },
      },
    ],
  },
});
