import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { en } from "@/components/pay/messages/en";
import { expectAccessible } from "@/e2e/world/axe";
import { expect, test } from "@/e2e/world/scenario";
import { noteShifts } from "@/e2e/world/shifts";
import { DEPOSIT_PAGES, renderDeposit } from "@/testing/checkout/deposits";
import { NOW } from "@/testing/checkout/facts";
import { BRAND, LOGO, ORDER_PAGES, renderPage, STILL_PAGES } from "@/testing/checkout/pages";

/** Every page that a payer can see, grouped by the beginning of its name. */
const NAMES = [ORDER_PAGES, DEPOSIT_PAGES, STILL_PAGES].flatMap((pages) => Object.keys(pages));
const KINDS = Object.groupBy(NAMES, (name) => name.replace(/-.*/, ""));

function pageOf(name: string) {
  const shown = ORDER_PAGES[name];
  const deposit = DEPOSIT_PAGES[name];
  if (deposit) return renderDeposit(deposit, en, { brand: BRAND, logo: LOGO });
  return shown ? renderPage(shown, en, { isBranded: true }) : STILL_PAGES[name]?.(en);
}

/**
 * Serves each page under its name, always with the same time. Sends a page's script only after the page without the script has been
 * checked.
 */
async function servePages() {
  let end = () => {};
  const server = createServer((request, response) => {
    const [, name = ""] = /^\/pay\/([\w-]+)$/.exec(request.url ?? "") ?? [];
    const page = pageOf(name);
    if (!page) return void response.writeHead(204).end();
    const headers = { "content-security-policy": page.policy, "server-timing": `now;dur=${NOW.getTime()}` };
    response.writeHead(200, { "content-type": "text/html; charset=utf-8", ...headers });
    const [before = "", script = ""] = page.html.split(/(?=<script>)/);
    response.write(before);
    end = () => response.end(script);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, end: () => end(), close: () => server.close() };
}

/** Disables intervals and long timeouts, so that pages neither navigate nor send requests, however long the checks take. */
function stopTime(): void {
  const later = window.setTimeout;
  const soon = (run: () => void, ms = 0) => (ms < 1_000 ? later(run, ms) : 0);
  Object.assign(window, { setTimeout: soon, setInterval: () => 0 });
}

test.describe.configure({ mode: "parallel" });
test.use({ viewport: { width: 360, height: 780 } });

for (const [kind, names = []] of Object.entries(KINDS)) {
  test(`${kind}: one request, no layout shift or overflow, accessible, in light and dark mode`, async ({ page }) => {
    const pages = await servePages();
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    const shifts = await noteShifts(page);
    await page.addInitScript(stopTime);
    for (const name of names) {
      await test.step(name, async () => {
        asked.length = 0;
        const url = `${pages.url}/pay/${name}`;
        await page.goto(url, { waitUntil: "commit" });
        await expect(page.locator("h1")).toHaveCount(1);
        await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
        pages.end();
        await page.waitForLoadState();
        expect(asked.filter((one) => !/^data:|\/api\//.test(one))).toEqual([url]);
        await expectAccessible(page);
        expect(await shifts()).toEqual([]);
        expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0);
      });
    }
    pages.close();
  });
}
