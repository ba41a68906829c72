import { once } from "node:events";
import { existsSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { chromium } from "@playwright/test";
import lighthouse from "lighthouse";

/** Lighthouse's results for a page on a low-end phone with slow 4G. Times are in milliseconds, scores are at most 100. */
export interface Vitals {
  performance: number;
  accessibility: number;
  bestPractices: number;
  /** First and largest contentful paint. */
  fcpMs: number;
  lcpMs: number;
  /** The Cumulative Layout Shift. */
  cls: number;
  /** The Total Blocking Time: the sum of script tasks beyond 50 ms each. */
  tbtMs: number;
}

/** The medians of the runs, and the names of Lighthouse's audits that kept accessibility or best practices below 100 in any run. */
export interface Measured extends Vitals {
  faults: string[];
}

type Run = Measured;

const LOCATIONS = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const CATEGORIES = ["performance", "accessibility", "best-practices"];
const RUNS = 3;

/**
 * Runs Lighthouse with its default settings (mobile, simulated slow 4G, a quarter of this processor) on the page, three times in each
 * language. Returns null if Chromium is not found.
 */
export async function measureVitals(url: string, languages: readonly string[]): Promise<Map<string, Measured> | null> {
  const executablePath = findChromium();
  if (!executablePath) return null;
  const port = await freePort();
  const args = [`--remote-debugging-port=${port}`, ...(process.getuid?.() === 0 ? ["--no-sandbox"] : [])];
  const browser = await chromium.launch({ executablePath, args });
  try {
    const measured = new Map<string, Measured>();
    for (const language of languages) {
      const runs: Run[] = [];
      for (let run = 0; run < RUNS; run++) runs.push(await runOnce(`${url}?lang=${language}`, port));
      measured.set(language, medianOf(runs));
    }
    return measured;
  } finally {
    await browser.close();
  }
}

/** Returns the path of Chromium, or null if it is not found. */
export function findChromium(): string | null {
  return process.env["CHROMIUM_PATH"] ?? LOCATIONS.find((path) => existsSync(path)) ?? null;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

async function runOnce(url: string, port: number): Promise<Run> {
  const result = await lighthouse(url, { port, onlyCategories: CATEGORIES, logLevel: "error" });
  if (!result) throw new Error("Lighthouse returned nothing");
  const { categories, audits, runtimeError } = result.lhr;
  if (runtimeError) throw new Error(`Lighthouse: ${runtimeError.message}`);
  const score = (id: string) => Math.round((categories[id]?.score ?? 0) * 100);
  const value = (id: string) => audits[id]?.numericValue ?? Number.NaN;
  const checks = ["accessibility", "best-practices"].flatMap((id) => categories[id]?.auditRefs ?? []);
  const faults = checks.filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 1).map(({ id }) => id);
  return {
    performance: score("performance"),
    accessibility: score("accessibility"),
    bestPractices: score("best-practices"),
    fcpMs: value("first-contentful-paint"),
    lcpMs: value("largest-contentful-paint"),
    cls: value("cumulative-layout-shift"),
    tbtMs: value("total-blocking-time"),
    faults,
  };
}

function medianOf(runs: readonly Run[]): Measured {
  const median = (key: keyof Vitals) => runs.map((run) => run[key]).toSorted((a, b) => a - b)[runs.length >> 1] ?? 0;
  return {
    performance: median("performance"),
    accessibility: median("accessibility"),
    bestPractices: median("bestPractices"),
    fcpMs: median("fcpMs"),
    lcpMs: median("lcpMs"),
    cls: median("cls"),
    tbtMs: median("tbtMs"),
    faults: [...new Set(runs.flatMap(({ faults }) => faults))],
  };
}
