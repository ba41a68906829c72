import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { EnvError, readDatabaseUrl, readEnv } from "@/lib/config/env";
import { isOneProcess } from "@/lib/config/processes";
import { NETWORKS } from "@/lib/domain/networks";
import { RATE_SOURCES } from "@/lib/domain/rates/sources";

const WHOLE = {
  DATABASE_URL: "postgres://user:password@localhost:5432/stablegate",
  APP_SECRET: "0123456789abcdef0123456789abcdef",
  PUBLIC_URL: "https://pay.example.com",
  ETHEREUM_RPC_URLS: "https://one.example, https://two.example",
};

const problemsOf = (source: Record<string, string | undefined>): readonly string[] => {
  try {
    readEnv(source);
    return [];
  } catch (error) {
    if (error instanceof EnvError) return error.problems;
    throw error;
  }
};

test("the required settings are sufficient, and all others have defaults", () => {
  expect(readEnv(WHOLE)).toEqual({
    databaseUrl: WHOLE.DATABASE_URL,
    databaseReplicaUrl: null,
    databaseDirectUrl: null,
    appSecret: WHOLE.APP_SECRET,
    publicUrl: "https://pay.example.com",
    port: 3000,
    host: "0.0.0.0",
    listenFd: null,
    webConcurrency: 1,
    isOneProcess: false,
    metricsToken: null,
    isMetricsLocal: false,
    workerMetricsPort: null,
    operator: { email: null, telegram: null },
    machineFolders: { dataFolder: null, dumpFolder: null },
    tracing: null,
    networks: NETWORKS,
    networkChanges: [],
    rpcUrls: new Map([["ethereum", ["https://one.example", "https://two.example"]]]),
    rpcHeaders: new Map([["ethereum", [{}, {}]]]),
    quorums: new Map(),
    budgets: new Map(),
    socketUrls: new Map(),
    rateSources: RATE_SOURCES,
    callbackAllowCidrs: [],
    createsPerMinute: 600,
    readsPerMinute: 3_000,
    viewsPerMinute: 600,
    streamsPerAddress: 50,
    retentionDays: null,
    logLevel: "info",
    idleReading: "seldom",
    isSandbox: false,
    trustedProxies: 0,
    registration: "closed",
    smtpUrl: null,
    mailFrom: null,
    telegramUrl: "https://api.telegram.org",
  });
});

test("while APP_SECRET changes there are two; one that is too short is reported, and equal ones count as one", () => {
  const other = "fedcba9876543210fedcba9876543210";
  expect(readEnv({ ...WHOLE, APP_SECRET_ALSO: other }).appSecret).toEqual({
    primary: WHOLE.APP_SECRET,
    secondary: other,
  });
  expect(readEnv({ ...WHOLE, APP_SECRET_ALSO: WHOLE.APP_SECRET }).appSecret).toBe(WHOLE.APP_SECRET);
  expect(problemsOf({ ...WHOLE, APP_SECRET_ALSO: "short" })).toEqual([
    expect.stringContaining("APP_SECRET_ALSO is too short"),
  ]);
});

test("secrets can be files; a missing or empty file, and a setting given both ways, are reported once", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "stablegate-secrets-"));
  try {
    const secret = path.join(folder, "app-secret");
    const empty = path.join(folder, "empty");
    await writeFile(secret, `${WHOLE.APP_SECRET}\n`);
    await writeFile(empty, "\n");
    const { APP_SECRET: _, ...rest } = WHOLE;
    expect(readEnv({ ...rest, APP_SECRET_FILE: secret }).appSecret).toBe(WHOLE.APP_SECRET);
    expect(problemsOf({ ...rest, APP_SECRET_FILE: empty })).toEqual([`APP_SECRET_FILE names ${empty}, which is empty`]);
    expect(problemsOf({ ...rest, APP_SECRET_FILE: `${secret}.none` })).toEqual([
      `APP_SECRET_FILE names ${secret}.none, which cannot be read (ENOENT); it must exist and be readable by the user of this process`,
    ]);
    expect(problemsOf({ ...WHOLE, APP_SECRET_FILE: secret })).toEqual([
      "APP_SECRET and APP_SECRET_FILE are both set; set only one of them",
    ]);
    await writeFile(secret, WHOLE.DATABASE_URL);
    expect(readDatabaseUrl({ DATABASE_URL_FILE: secret })).toBe(WHOLE.DATABASE_URL);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("an empty environment reports all missing settings together", () => {
  const problems = problemsOf({});
  for (const name of ["DATABASE_URL", "APP_SECRET", "PUBLIC_URL", "ETHEREUM_RPC_URLS"]) {
    expect(problems.filter((problem) => problem.includes(name))).toHaveLength(1);
  }
  expect(problems).toHaveLength(4);
});

test("the error message lists every problem and where to read more", () => {
  const error = new EnvError(problemsOf({ ...WHOLE, APP_SECRET: "short", PORT: "70000" }));
  expect(error.message).toContain("2 problems");
  expect(error.message).toContain("APP_SECRET is too short");
  expect(error.message).toContain("PORT must be a port number");
  expect(error.message).toContain(".env.example");
});

test.each([
  ["DATABASE_URL", "mysql://localhost/x"],
  ["DATABASE_URL", "localhost:5432"],
  ["DATABASE_URL", "postgres://user@one:5432,/stablegate"],
  ["APP_SECRET", "too short"],
  ["PUBLIC_URL", "pay.example.com"],
  ["PUBLIC_URL", "https://pay.example.com/sub"],
  ["PUBLIC_URL", "https://pay.example.com/?x=1"],
  ["PUBLIC_URL", "ftp://pay.example.com"],
  ["PORT", "http"],
  ["PORT", "-1"],
  ["PORT", "65536"],
  ["ETHEREUM_RPC_URLS", "node.example"],
  ["BSC_RPC_URLS", "wss://node.example"],
  ["CALLBACK_ALLOW_CIDRS", "10.0.0.0"],
  ["CALLBACK_ALLOW_CIDRS", "10.0.0.0/8,hello"],
  ["RATE_LIMIT_CREATES", "many"],
  ["RATE_LIMIT_READS", "-5"],
  ["LOG_LEVEL", "loud"],
  ["LOG_FORMAT", "xml"],
  ["TRUSTED_PROXIES", "all"],
  ["STABLEGATE_SANDBOX", "yes"],
])("%s=%s is one problem, and the message names the setting", (name, value) => {
  const problems = problemsOf({ ...WHOLE, [name]: value });
  expect(problems).toHaveLength(1);
  expect(problems[0]).toMatch(new RegExp(`^${name} `));
});

test("no problem repeats a secret", () => {
  const message = problemsOf({ ...WHOLE, DATABASE_URL: "mysql://u:hunter2@h/x", APP_SECRET: "hunter3" }).join("\n");
  expect(message).not.toMatch(/hunter/);
});

test.each(["ETHEREUM_RPC_URLS", "ETHEREUM_WS_URLS"])("a refused URL in %s is reported without its keys", (name) => {
  const refused = ["ftp://me:hunter2@one.example/hunter3", "two.example/hunter4?key=hunter5"];
  const problems = problemsOf({ ...WHOLE, [name]: refused.join() });
  expect(problems).toEqual([expect.stringContaining('got "ftp://one.example/…", "two.example/…"')]);
  expect(problems.join()).not.toMatch(/hunter/);
});

test("a setting that is there but empty counts as missing", () => {
  expect(problemsOf({ ...WHOLE, APP_SECRET: "  " })[0]).toContain("APP_SECRET is missing");
  expect(readEnv({ ...WHOLE, PORT: "" }).port).toBe(3000);
});

test("behind trusted proxies the default address is loopback, because a client that reaches the port can forge X-Forwarded-For", () => {
  expect(readEnv(WHOLE).host).toBe("0.0.0.0");
  expect(readEnv({ ...WHOLE, TRUSTED_PROXIES: "0" }).host).toBe("0.0.0.0");
  expect(readEnv({ ...WHOLE, TRUSTED_PROXIES: "1" }).host).toBe("127.0.0.1");
  expect(readEnv({ ...WHOLE, TRUSTED_PROXIES: "1", HOST: "0.0.0.0" }).host).toBe("0.0.0.0");
  expect(readEnv({ ...WHOLE, HOST: "[::1]" }).host).toBe("::1");
});

test("a public address loses its trailing slash", () => {
  expect(readEnv({ ...WHOLE, PUBLIC_URL: "https://pay.example.com/" }).publicUrl).toBe("https://pay.example.com");
});

test("a rate limit can be switched off", () => {
  expect(readEnv({ ...WHOLE, RATE_LIMIT_CREATES: "off" }).createsPerMinute).toBeNull();
});

test.each(["{}x", '{"a":1}', '"key"', "[1]", '{"bad name":"x"}', '{"a":"line\\nbreak"}', "hunter2"])(
  "TRON_RPC_HEADERS=%s is refused without repeating its value",
  (text) => {
    const problems = problemsOf({ ...WHOLE, TRON_RPC_URLS: "https://one.example", TRON_RPC_HEADERS: text });
    expect(problems).toEqual([expect.stringMatching(/^TRON_RPC_HEADERS must be a JSON object/)]);
    expect(problems[0]).not.toContain("hunter2");
  },
);

test("one set of headers goes to every URL of its network, a list gives each URL its own", () => {
  const urls = { TRON_RPC_URLS: "https://one.example,https://two.example" };
  const read = (text: string) => readEnv({ ...WHOLE, ...urls, TRON_RPC_HEADERS: text }).rpcHeaders.get("tron");
  expect(read('{"TRON-PRO-API-KEY":"k"}')).toEqual([{ "TRON-PRO-API-KEY": "k" }, { "TRON-PRO-API-KEY": "k" }]);
  expect(read('[{"TRON-PRO-API-KEY":"k"},{}]')).toEqual([{ "TRON-PRO-API-KEY": "k" }, {}]);
  expect(problemsOf({ ...WHOLE, ...urls, TRON_RPC_HEADERS: '[{"a":"b"}]' })).toEqual([
    expect.stringContaining("one object per URL"),
  ]);
});

test("every URL has its own budget, or explicitly none", () => {
  const urls = { TRON_RPC_URLS: "https://one.example,https://two.example" };
  const read = (text: string) => ({ ...WHOLE, ...urls, TRON_RPC_BUDGETS: text });
  expect(readEnv(read("100000/day 15/s,-")).budgets.get("tron")).toEqual([{ perDay: 100_000, perSecond: 15 }, {}]);
  expect(problemsOf(read("100000/day"))).toEqual([expect.stringContaining("one budget per URL")]);
  expect(problemsOf(read("many,-"))).toEqual([expect.stringContaining('got "many"')]);
});

test("every URL has its own WebSocket, or explicitly none; networks whose nodes announce nothing have none", () => {
  const read = (text: string) => ({ ...WHOLE, ETHEREUM_WS_URLS: text });
  expect(readEnv(read("wss://one.example/key,-")).socketUrls).toEqual(
    new Map([["ethereum", ["wss://one.example/key", null]]]),
  );
  expect(problemsOf(read("wss://one.example"))).toEqual([expect.stringContaining("one WebSocket URL per URL")]);
  expect(problemsOf(read("https://one.example,-"))).toEqual([expect.stringContaining('got "https://one.example"')]);
  expect(problemsOf(read("wss://one.example#key,-"))).toEqual([expect.stringContaining('got "wss://one.example/…"')]);
  expect(
    readEnv({ ...read("wss://one.example,-"), ETHEREUM_RPC_URLS: "", BSC_RPC_URLS: "https://bsc.example" }).rpcUrls
      .size,
  ).toBe(1);
  const tron = { ...WHOLE, TRON_RPC_URLS: "https://one.example", TRON_WS_URLS: "wss://one.example" };
  expect(problemsOf(tron)).toEqual([expect.stringMatching(/^TRON_WS_URLS is not supported/)]);
});

test("a quorum larger than the number of endpoints is refused at startup", () => {
  expect(readEnv({ ...WHOLE, ETHEREUM_QUORUM: "2" }).quorums).toEqual(new Map([["ethereum", 2]]));
  expect(problemsOf({ ...WHOLE, ETHEREUM_QUORUM: "3" })).toEqual([
    expect.stringMatching(/^ETHEREUM_QUORUM is 3, but ETHEREUM_RPC_URLS has 2 endpoints/),
  ]);
  for (const text of ["0", "-1", "two", "1.5"]) {
    expect(problemsOf({ ...WHOLE, ETHEREUM_QUORUM: text })).toEqual([
      expect.stringMatching(/^ETHEREUM_QUORUM must be/),
    ]);
  }
});

test("a mail server needs a sender, and both are validated", () => {
  const mail = { SMTP_URL: "smtps://user:p%40ss@mail.example.com", MAIL_FROM: "Pay <pay@example.com>" };
  expect(readEnv({ ...WHOLE, ...mail })).toMatchObject({ smtpUrl: mail.SMTP_URL, mailFrom: mail.MAIL_FROM });
  expect(problemsOf({ ...WHOLE, SMTP_URL: mail.SMTP_URL })).toEqual([expect.stringContaining("MAIL_FROM is missing")]);
  expect(problemsOf({ ...WHOLE, SMTP_URL: "mail.example.com", MAIL_FROM: "me" })).toHaveLength(2);
});

test("the web process and the worker share one process if PROCESSES is 1, and never with several web processes", () => {
  expect(isOneProcess({ PROCESSES: "1" })).toBe(true);
  expect(isOneProcess({ PROCESSES: "2" })).toBe(false);
  expect(isOneProcess({ WEB_CONCURRENCY: "2" })).toBe(false);
  expect(readEnv({ ...WHOLE, PROCESSES: "1" }).isOneProcess).toBe(true);
  expect(() => readEnv({ ...WHOLE, PROCESSES: "3" })).toThrow("PROCESSES must be 1");
  expect(() => readEnv({ ...WHOLE, PROCESSES: "1", WEB_CONCURRENCY: "2" })).toThrow("remove WEB_CONCURRENCY");
});
