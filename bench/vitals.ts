import { existsSync } from "node:fs";
import { type Browser, chromium } from "@playwright/test";

/** What a payer sees of a page's loading. Times in milliseconds. */
export interface Vitals {
  /** First and largest contentful paint. */
  fcpMs: number;
  lcpMs: number;
  /** How much of it moved (Cumulative Layout Shift). */
  cls: number;
  /** How long the script kept the page from answering, beyond 50 ms at a time (Total Blocking Time). */
  tbtMs: number;
  requests: number;
}

const PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
/** A cheap phone on slow 4G, as Lighthouse applies it in a browser (its `mobileSlow4G` and `devtools` throttling). */
const PHONE = { width: 412, height: 823 };
const SLOW_4G = { offline: false, latency: 562.5, downloadThroughput: 184_320, uploadThroughput: 86_400 };
const SLOWER_CPU = 4;
const SETTLE_MS = 1_500;
const RUNS = 3;

/** Opens the page in each language as a cheap phone on slow 4G does; medians of three runs. Null where no Chromium is found. */
export async function measureVitals(url: string, languages: readonly string[]): Promise<Map<string, Vitals> | null> {
  const executablePath = process.env["CHROMIUM_PATH"] ?? PLACES.find((place) => existsSync(place));
  if (!executablePath) return null;
  const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  const browser = await chromium.launch({ executablePath, args });
  try {
    const medians = new Map<string, Vitals>();
    for (const language of languages) {
      const runs: Vitals[] = [];
      for (let run = 0; run < RUNS; run++) runs.push(await openOnce(browser, url, language));
      medians.set(language, medianOf(runs));
    }
    return medians;
  } finally {
    await browser.close();
  }
}

async function openOnce(browser: Browser, url: string, locale: string): Promise<Vitals> {
  const context = await browser.newContext({ viewport: PHONE, deviceScaleFactor: 1.75, isMobile: true, locale });
  try {
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send("Network.enable");
    await session.send("Network.emulateNetworkConditions", SLOW_4G);
    await session.send("Emulation.setCPUThrottlingRate", { rate: SLOWER_CPU });
    let requests = 0;
    page.on("request", (request) => {
      if (!request.url().startsWith("data:") && !request.url().includes("/api/pay/")) requests += 1;
    });
    await page.addInitScript(observe);
    await page.goto(url, { waitUntil: "load" });
    await page.waitForTimeout(SETTLE_MS);
    const seen = await page.evaluate(() => (window as unknown as { seen: Omit<Vitals, "requests"> }).seen);
    return { ...seen, requests };
  } finally {
    await context.close();
  }
}

/** Runs in the page, before anything else. */
function observe(): void {
  const seen = { fcpMs: Number.NaN, lcpMs: Number.NaN, cls: 0, tbtMs: 0 };
  (window as unknown as { seen: typeof seen }).seen = seen;
  const watch = (type: string, take: (entry: PerformanceEntry) => void) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true });
  watch("paint", ({ name, startTime }) => {
    if (name === "first-contentful-paint") seen.fcpMs = startTime;
  });
  watch("largest-contentful-paint", ({ startTime }) => {
    seen.lcpMs = startTime;
  });
  watch("layout-shift", (entry) => {
    seen.cls += (entry as unknown as { value: number }).value;
  });
  watch("longtask", ({ duration }) => {
    seen.tbtMs += Math.max(0, duration - 50);
  });
}

function medianOf(runs: readonly Vitals[]): Vitals {
  const median = (key: keyof Vitals) => runs.map((run) => run[key]).toSorted((a, b) => a - b)[runs.length >> 1] ?? 0;
  const [fcpMs, lcpMs, cls] = [median("fcpMs"), median("lcpMs"), median("cls")];
  return { fcpMs, lcpMs, cls, tbtMs: median("tbtMs"), requests: median("requests") };
}
