import { afterAll, beforeAll } from "vitest";
import type { Env } from "@/lib/config/env";
import { NETWORKS } from "@/lib/domain/networks";
import type { RoutedIntegrations } from "@/lib/http/integration-routes";
import { startWeb, type WebServer } from "@/server";
import { type TestDb, useTestDb } from "@/testing/database/clone";
import { seedMerchant, TEST_APP_SECRET } from "@/testing/database/seed";

export interface TestAnswer {
  status: number;
  headers: Headers;
  /** The body as received. */
  text: string;
  body: {
    code: number;
    message: string;
    data?: Record<string, unknown>;
    errors?: { field: string; message: string }[];
    request_id: string;
  };
}

export interface TestApi extends TestDb {
  readonly origin: string;
  readonly merchant: Awaited<ReturnType<typeof seedMerchant>>;
  /** Sends a POST request to a path under the API's base with the merchant's key. A string is sent unchanged, anything else as JSON. */
  post(path: string, body: unknown, headers?: Record<string, string | null>): Promise<TestAnswer>;
  request(path: string, init?: RequestInit): Promise<TestAnswer>;
}

export const API_BASE = "/api/v1/pay/sdk";

/** The settings of web processes in tests: both networks are enabled, without limits. Tests change the settings that they cover. */
export const TEST_ENV: Env = {
  databaseUrl: "",
  databaseDirectUrl: null,
  databaseReplicaUrl: null,
  appSecret: TEST_APP_SECRET,
  publicUrl: "https://pay.example.com",
  port: 0,
  host: "127.0.0.1",
  webConcurrency: 1,
  isOneProcess: false,
  listenFd: null,
  metricsToken: null,
  isMetricsLocal: false,
  workerMetricsPort: null,
  operator: { email: null, telegram: null },
  machineFolders: { dataFolder: null, dumpFolder: null },
  tracing: null,
  networks: NETWORKS,
  networkChanges: [],
  rpcUrls: new Map([
    ["ethereum", ["http://127.0.0.1:1"]],
    ["bsc", ["http://127.0.0.1:1"]],
  ]),
  rpcHeaders: new Map(),
  quorums: new Map(),
  budgets: new Map(),
  socketUrls: new Map(),
  rateSources: [],
  callbackAllowCidrs: [],
  createsPerMinute: null,
  readsPerMinute: null,
  viewsPerMinute: null,
  streamsPerAddress: null,
  retentionDays: null,
  logLevel: "fatal",
  idleReading: "seldom",
  isSandbox: false,
  trustedProxies: 0,
  smtpUrl: null,
  mailFrom: null,
  telegramUrl: "https://api.telegram.org",
  registration: "closed",
};

/**
 * Provides the calling test file with a database, a web process without pages, and a merchant with a key.
 * @param integrations defaults to those of the release
 */
export function useTestApi(change: Partial<Env> = {}, integrations?: RoutedIntegrations): TestApi {
  const testDb = useTestDb();
  let web: WebServer | undefined;
  let merchant: TestApi["merchant"] | undefined;

  beforeAll(async () => {
    const env = { ...TEST_ENV, databaseUrl: testDb.url, ...change };
    web = await startWeb({ env, hasPages: false, ...(integrations && { integrations }) });
    merchant = await seedMerchant(testDb.pool.db, new Date());
  });
  afterAll(() => web?.close());

  const started = <T>(thing: T | undefined): T => {
    if (!thing) throw new Error("The web process starts before the first test; use it inside a test or a hook");
    return thing;
  };
  const api: TestApi = {
    get pool() {
      return testDb.pool;
    },
    get url() {
      return testDb.url;
    },
    get owner() {
      return testDb.owner;
    },
    get ownerUrl() {
      return testDb.ownerUrl;
    },
    get origin() {
      return started(web).url;
    },
    get merchant() {
      return started(merchant);
    },
    post(path, body, headers = {}) {
      const all = { "content-type": "application/json", "x-api-key": api.merchant.apiKey, ...headers };
      const sent = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== null);
      const text = typeof body === "string" ? body : JSON.stringify(body);
      return api.request(API_BASE + path, { method: "POST", body: text, headers: Object.fromEntries(sent) });
    },
    async request(path, init) {
      const response = await fetch(api.origin + path, init);
      const text = await response.text();
      return { status: response.status, headers: response.headers, text, body: text ? JSON.parse(text) : null };
    },
  };
  return api;
}
