import { expect, test } from "vitest";
import { EnvError, readEnv } from "@/lib/env";

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

test("the few settings that must be there are enough, and the rest has sensible values", () => {
  expect(readEnv(WHOLE)).toEqual({
    databaseUrl: WHOLE.DATABASE_URL,
    appSecret: WHOLE.APP_SECRET,
    publicUrl: "https://pay.example.com",
    port: 3000,
    host: "0.0.0.0",
    rpcUrls: new Map([["ethereum", ["https://one.example", "https://two.example"]]]),
    callbackAllowCidrs: [],
    createsPerMinute: 600,
    readsPerMinute: 3_000,
    logLevel: "info",
    isSandbox: false,
    trustedProxies: 0,
  });
});

test("an empty environment is told everything that is missing, at once", () => {
  const problems = problemsOf({});
  for (const name of ["DATABASE_URL", "APP_SECRET", "PUBLIC_URL", "ETHEREUM_RPC_URLS"]) {
    expect(problems.filter((problem) => problem.includes(name))).toHaveLength(1);
  }
  expect(problems).toHaveLength(4);
});

test("the words of the error list every problem and where to read more", () => {
  const error = new EnvError(problemsOf({ ...WHOLE, APP_SECRET: "short", PORT: "70000" }));
  expect(error.message).toContain("2 problems");
  expect(error.message).toContain("APP_SECRET is too short");
  expect(error.message).toContain("PORT must be a port number");
  expect(error.message).toContain(".env.example");
});

test.each([
  ["DATABASE_URL", "mysql://localhost/x"],
  ["DATABASE_URL", "localhost:5432"],
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
  ["TRUSTED_PROXIES", "all"],
  ["STABLEGATE_SANDBOX", "yes"],
])("%s=%s is one problem, and the words name the setting", (name, value) => {
  const problems = problemsOf({ ...WHOLE, [name]: value });
  expect(problems).toHaveLength(1);
  expect(problems[0]).toMatch(new RegExp(`^${name} `));
});

test("no problem repeats a secret", () => {
  const words = problemsOf({ ...WHOLE, DATABASE_URL: "mysql://u:hunter2@h/x", APP_SECRET: "hunter3" }).join("\n");
  expect(words).not.toMatch(/hunter/);
});

test("a setting that is there but empty counts as missing", () => {
  expect(problemsOf({ ...WHOLE, APP_SECRET: "  " })[0]).toContain("APP_SECRET is missing");
  expect(readEnv({ ...WHOLE, PORT: "" }).port).toBe(3000);
});

test("a public address loses its trailing slash", () => {
  expect(readEnv({ ...WHOLE, PUBLIC_URL: "https://pay.example.com/" }).publicUrl).toBe("https://pay.example.com");
});

test("a rate limit can be switched off", () => {
  expect(readEnv({ ...WHOLE, RATE_LIMIT_CREATES: "off" }).createsPerMinute).toBeNull();
});
