import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { configDefaults, defineConfig } from "vitest/config";
import { HeaviestFirst } from "./testing/heaviest-first.ts";

const root = fileURLToPath(new URL(".", import.meta.url));
const exclude = [...configDefaults.exclude, "e2e/**", ".next/**", ".build/**", ".data/**", ".live/**"];
const INTEGRATION = "**/*.integration.test.ts";
/** What changes a process for whoever comes after it: mocks, spies, settings, the context of the web process. */
const CHANGES = /\bvi\.(?:mock|doMock|spyOn|stub|useFake)|process\.(?:env\[[^\]]*\]|exitCode) = |globalThis\.\w+ = /;
/** They look at all that their process does, and so also at what others left behind. */
const OBSERVERS = ["fuzz/", "scripts/walk."];
const alone = globSync(INTEGRATION, { cwd: root, exclude: ["node_modules/**", ".*/**"] }).filter(
  (file) => OBSERVERS.some((start) => file.startsWith(start)) || CHANGES.test(readFileSync(root + file, "utf8")),
);
const DATABASE = "./testing/database/server.ts";
const shared = { environment: "node" as const, testTimeout: 60_000, hookTimeout: 120_000 };

export default defineConfig({
  test: {
    // One more than the cores that are promised: much of a test is waiting for states.
    maxWorkers: 3,
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
          exclude: [...exclude, ...alone],
          globalSetup: DATABASE,
          // Loading the house anew for each of them took a third of their time.
          isolate: false,
        },
      },
      {
        resolve: { alias: { "@": root.replace(/\/$/, "") } },
        test: { ...shared, name: "integration-alone", include: alone, exclude, globalSetup: DATABASE },
      },
    ],
  },
});
