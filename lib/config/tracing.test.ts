import { expect, test } from "vitest";
import { EnvError, isSetting, readEnv } from "@/lib/config/env";

const REST = {
  DATABASE_URL: "postgres://user:password@127.0.0.1:5432/stablegate",
  APP_SECRET: "a secret of the tests that is long enough",
  PUBLIC_URL: "https://pay.example.com",
  ETHEREUM_RPC_URLS: "http://127.0.0.1:8545",
};
const read = (more: Record<string, string>) => readEnv({ ...REST, ...more }).tracing;
const problems = (more: Record<string, string>) => {
  try {
    read(more);
  } catch (error) {
    if (error instanceof EnvError) return error.problems;
  }
  return [];
};
const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318/" };

test("there are no traces without an endpoint, nor where they are switched off", () => {
  expect(read({})).toBeNull();
  expect(read({ OTEL_SERVICE_NAME: "shop" })).toBeNull();
  expect(read({ ...ENDPOINT, OTEL_SDK_DISABLED: "True" })).toBeNull();
  expect(read({ ...ENDPOINT, OTEL_TRACES_SAMPLER: "always_off" })).toBeNull();
});

test("the endpoint is a base, that of traces is taken as it is", () => {
  expect(read(ENDPOINT)).toEqual({
    url: "http://127.0.0.1:4318/v1/traces",
    headers: {},
    serviceName: null,
    resource: {},
    sampler: "always_on",
    ratio: 1,
  });
  const own = { ...ENDPOINT, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "https://collector.example.com/traces" };
  expect(read(own)?.url).toBe("https://collector.example.com/traces");
});

test("headers, resource and sampler are read as OpenTelemetry writes them", () => {
  const settings = read({
    ...ENDPOINT,
    OTEL_EXPORTER_OTLP_HEADERS: "authorization=Basic%20dTpw=, x-scope = one ",
    OTEL_RESOURCE_ATTRIBUTES: "deployment.environment=production,region=eu",
    OTEL_TRACES_SAMPLER: "parentbased_traceidratio",
    OTEL_TRACES_SAMPLER_ARG: "0.25",
  });
  expect(settings).toMatchObject({
    headers: { authorization: "Basic dTpw=", "x-scope": "one" },
    resource: { "deployment.environment": "production", region: "eu" },
    sampler: "traceidratio",
    ratio: 0.25,
  });
});

test("invalid settings are reported", () => {
  const invalid = {
    OTEL_EXPORTER_OTLP_ENDPOINT: "grpc://x",
    OTEL_EXPORTER_OTLP_HEADERS: "token",
    OTEL_TRACES_SAMPLER: "some",
    OTEL_TRACES_SAMPLER_ARG: "2",
  };
  expect(problems(invalid)).toEqual([
    expect.stringContaining("ENDPOINT must be the http(s) URL of a collector"),
    expect.stringContaining("HEADERS must be pairs such as authorization=Bearer%20abc"),
    expect.stringContaining("SAMPLER must be one of always_on"),
    expect.stringContaining("SAMPLER_ARG must be the share of traces"),
  ]);
  expect(problems({ ...ENDPOINT, OTEL_EXPORTER_OTLP_HEADERS: "a=%zz" })).toHaveLength(1);
  for (const name of Object.keys(invalid)) expect(isSetting(name, [])).toBe(true);
});
