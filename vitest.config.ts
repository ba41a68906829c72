import { fileURLToPath } from "node:url";
import { configDefaults, defineConfig } from "vitest/config";
import { HeaviestFirst } from "./testing/heaviest-first.ts";

const root = fileURLToPath(new URL(".", import.meta.url));
const exclude = [...configDefaults.exclude, "e2e/**", ".next/**", ".build/**", ".data/**", ".live/**"];
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
          include: ["**/*.integration.test.ts"],
          exclude,
          globalSetup: "./testing/database/server.ts",
        },
      },
    ],
  },
});
