import { existsSync } from "node:fs";
import { defineConfig } from "@playwright/test";

const LOCATIONS = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const chromium = process.env["CHROMIUM_PATH"] ?? LOCATIONS.find((path) => existsSync(path));
const asRoot = process.getuid?.() === 0 ? ["--no-sandbox"] : [];

export default defineConfig({
  testDir: "e2e",
  outputDir: "test-results/browser",
  globalSetup: "./e2e/world/start-sandbox.ts",
  workers: 2,
  fullyParallel: false,
  retries: 0,
  forbidOnly: true,
  timeout: 180_000,
  expect: { timeout: 60_000 },
  reporter: [["list"]],
  use: {
    browserName: "chromium",
    locale: "en-GB",
    screenshot: "only-on-failure",
    trace: "off",
    launchOptions: {
      ...(chromium ? { executablePath: chromium } : {}),
      args: [...asRoot, "--disable-background-networking", "--disable-dev-shm-usage"],
    },
  },
});
