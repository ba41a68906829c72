import { expect, test, vi } from "vitest";
import { useTestDb } from "@/testing/database/clone";
import { useWebs } from "@/testing/watch/worker";

const PATIENCE = { timeout: 60_000, interval: 50 };
const testDb = useTestDb();
const webs = useWebs();

/** Starts a web process and returns its start message. */
async function startMessage(settings: Record<string, string>): Promise<string> {
  const web = webs.start({ DATABASE_URL: testDb.url, PORT: "0", ETHEREUM_RPC_URLS: "http://127.0.0.1:9", ...settings });
  const found = () => /listening at ([^\s;]+)(:\d+)((?: \(all [^)]*\))?)[; ]/.exec(web.output());
  await vi.waitUntil(found, PATIENCE);
  const [, host, , output] = found() ?? [];
  return `${host}:PORT${output}`;
}

test.each([
  ["an address of one", { HOST: "127.0.0.1" }, "http://127.0.0.1:PORT"],
  ["all addresses by default", {}, "http://0.0.0.0:PORT (all IPv4 addresses of this machine)"],
  ["loopback by default behind a proxy", { TRUSTED_PROXIES: "1" }, "http://127.0.0.1:PORT"],
  [
    "all addresses by a setting behind a proxy",
    { TRUSTED_PROXIES: "1", HOST: "0.0.0.0" },
    "http://0.0.0.0:PORT (all IPv4 addresses of this machine)",
  ],
  ["IPv6", { HOST: "::1" }, "http://[::1]:PORT"],
  [
    "all addresses of both families, by two processes",
    { HOST: "::", WEB_CONCURRENCY: "2" },
    "http://[::]:PORT (all IPv6 and IPv4 addresses of this machine)",
  ],
])("the start message shows where the web process is listening: %s", async (_name, settings, expected) => {
  expect(await startMessage(settings as Record<string, string>)).toBe(expected);
});
