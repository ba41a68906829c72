import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Schema } from "@/lib/domain/fields/json-schema";
import type { JsonObject } from "@/lib/domain/fields/json-value";
import { AppError } from "@/lib/errors";
import { parseJsonObject } from "@/lib/http/api-call";
import { openApiDocument } from "@/lib/http/openapi/document";
import { readDepositRequest, readDepositSearch } from "@/lib/http/read-deposit-request";
import { readUnmatchedSearch } from "@/lib/http/read-ledger-request";
import { readEventCursor, readOrderSearch } from "@/lib/http/read-list-request";
import { readCheckoutRequest, readOrderNames, readOrderTerms } from "@/lib/http/read-order-request";
import { createDocumentChecker } from "@/testing/document-checker";
import { TEST_ENV } from "@/testing/web";

const rpcUrls = new Map(["ethereum", "base", "tron"].map((id) => [id, ["http://127.0.0.1:1"]]));
const document = openApiDocument({ ...TEST_ENV, rpcUrls }, "1.2.3");
const { schemas } = document.components;
const requests = createDocumentChecker(document, { isOpen: true });
const answers = createDocumentChecker(document);
const READERS: Record<string, (body: JsonObject) => unknown> = {
  OrderAddRequest: (body) => readOrderTerms(body, { env: { rpcUrls, callbackAllowCidrs: [] } }),
  OrderCheckoutRequest: (body) => readCheckoutRequest(body, { env: { rpcUrls, callbackAllowCidrs: [] } }),
  OrderDetailRequest: readOrderNames,
  OrderCancelRequest: readOrderNames,
  OrderListRequest: readOrderSearch,
  EventListRequest: readEventCursor,
  DepositAddressRequest: (body) => readDepositRequest(body, { env: { rpcUrls, callbackAllowCidrs: [] } }),
  DepositListRequest: readDepositSearch,
  TransferUnmatchedRequest: readUnmatchedSearch,
};
const JUNK: readonly unknown[] = [
  ...[true, false, [], {}, [1], -1, 0, 0.5, 1.5, 101, 1e15, 1e16, 1e300, -0, 1e-7, "x", "-1", "0", "\u0000", "\u007f"],
  ...["https://", "ftp://shop.example", "https://shop example/", "//shop.example", "x".repeat(33), "x".repeat(3_000)],
];

/** Returns true if the reader of a route accepts a body. */
function isValid(name: string, body: unknown): boolean {
  try {
    READERS[name]?.(parseJsonObject(Buffer.from(JSON.stringify(body))));
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 10001) return false;
    throw error;
  }
}

const known = new Map<Schema, fc.Arbitrary<unknown>>();

/** Returns values that a schema accepts. */
function valuesOf(schema: Schema): fc.Arbitrary<unknown> {
  const values = known.get(schema) ?? makeValuesOf(schema);
  known.set(schema, values);
  return values;
}

function makeValuesOf(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.$ref) return valuesOf(schemas[schema.$ref.split("/").at(-1) ?? ""] ?? {});
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(valuesOf));
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.type === "integer") return fc.integer({ min: schema.minimum ?? 0, max: schema.maximum ?? 0 });
  if (schema.type === "number") return decimals(schema.maximum ?? 10, schema.multipleOf ?? 1);
  if (schema.type === "object")
    return fc.dictionary(fc.string({ maxLength: 8 }), fc.jsonValue({ maxDepth: 1 }), { maxKeys: 3 });
  return textsOf(schema);
}

function decimals(maximum: number, step: number): fc.Arbitrary<number> {
  const positions = Math.round(-Math.log10(step));
  const limit = Math.min(maximum, 1_000_000);
  return fc.oneof(
    fc.constantFrom(step, maximum, 1),
    fc
      .integer({ min: 1, max: limit * 10 ** positions })
      .map((steps) => Number((steps / 10 ** positions).toFixed(positions))),
  );
}

const DIGITS = fc.oneof(fc.nat(200), fc.nat(100_000), fc.maxSafeNat()).map(String);

/** Returns strings that a schema accepts. For patterns with lookahead or ranges of numbers, random strings are filtered. */
function textsOf({ pattern = "", minLength = 0, maxLength = 300 }: Schema): fc.Arbitrary<string> {
  const isOne = (text: string) =>
    new RegExp(pattern).test(text) && [...text].length <= maxLength && text.length >= minLength;
  if (pattern.startsWith("^https?://"))
    return fc.webUrl({ withQueryParameters: true, withFragments: true }).filter(isOne);
  if (/^[\^$()|[\]{},\d-]+$/.test(pattern)) return DIGITS.filter(isOne);
  if (pattern.includes("(?!"))
    return fc
      .integer({ min: 1, max: 9_999_999 })
      .map((n) => String(n / 100))
      .filter(isOne);
  if (pattern === "" || pattern.startsWith("^[^"))
    return fc.string({ unit: "binary", minLength, maxLength: Math.min(maxLength, 40) }).filter(isOne);
  return fc.stringMatching(new RegExp(pattern), { maxLength: Math.min(maxLength, 60) }).filter(isOne);
}

/** Returns bodies with some of the fields of a request, most of them valid. */
function bodiesOf(name: string): fc.Arbitrary<Record<string, unknown>> {
  const schema = schemas[name] ?? {};
  const properties = Object.entries(schema.properties ?? {});
  const forms = schema.oneOf ?? schema.anyOf ?? [{}];
  const form = fc.constantFrom(...forms).chain((chosen) => {
    const parts = chosen.anyOf ?? [{}];
    return fc.constantFrom(...parts).map((part) => ({ ...chosen.properties, ...part.properties }));
  });
  return form.chain((chosen) => {
    const fields = Object.fromEntries(properties.map(([field, own]) => [field, valuesOf(chosen[field] ?? own)]));
    return fc.record(fields, { requiredKeys: [...(schema.required ?? []), ...Object.keys(chosen)] });
  });
}

describe.each(Object.keys(READERS))("%s", (name) => {
  const schema = schemas[name] ?? {};

  test("requests that match the document are accepted", () => {
    let count = 0;
    fc.assert(
      fc.property(bodiesOf(name), (body) => {
        if (requests.checkValue(schema, body) !== null) return;
        count += 1;
        expect(isValid(name, body), JSON.stringify(body)).toBe(true);
      }),
      { numRuns: 100 },
    );
    expect(count).toBeGreaterThan(30);
  });

  test("requests that violate the document are refused", () => {
    const spoiled = fc.tuple(
      bodiesOf(name),
      fc.constantFrom(...Object.keys(schema.properties ?? {})),
      fc.constantFrom(...JUNK),
    );
    let count = 0;
    fc.assert(
      fc.property(spoiled, ([body, field, junk]) => {
        const bad = { ...body, [field]: junk };
        if (requests.checkValue(schema, bad) === null) return;
        count += 1;
        expect(isValid(name, bad), JSON.stringify(bad)).toBe(false);
      }),
      { numRuns: 100 },
    );
    expect(count).toBeGreaterThan(30);
  });
});

test("every example matches its schema", () => {
  const webhooks = Object.values(document.webhooks).map(({ post }) => post?.requestBody);
  for (const body of [...webhooks, ...[...answers.operations.values()].map(({ requestBody }) => requestBody)])
    for (const { schema, example } of Object.values(body?.content ?? {}))
      expect(requests.checkValue(schema, example)).toBeNull();
  for (const [name, { responses }] of answers.operations)
    for (const { content } of Object.values(responses))
      for (const { schema, example } of Object.values(content ?? {}))
        if (example !== undefined) expect([name, answers.checkValue(schema, example)]).toEqual([name, null]);
});

test("currencies go with the networks that have them", () => {
  const body = { currency: "USDT", network: "base", amount: 1, mch_order_id: "1" };
  const { OrderAddRequest = {} } = schemas;
  expect(requests.checkValue(OrderAddRequest, { ...body, currency: "USDC" })).toBeNull();
  expect(requests.checkValue(OrderAddRequest, body)).not.toBeNull();
  expect(isValid("OrderAddRequest", body)).toBe(false);
});

test("operations have the titles of the field and name the scope of their key", () => {
  const operations = Object.values(document.paths).flatMap(({ get, post }) =>
    [get, post].filter((one) => one !== undefined),
  );
  const titles = operations.map(({ summary }) => summary);
  expect(titles).toEqual(
    expect.arrayContaining([
      "Create an order",
      "Create a checkout",
      "Retrieve an order",
      "List orders",
      "Cancel an order",
      "List payment methods",
      "List events",
      "Retrieve the merchant",
    ]),
  );
  for (const title of titles) expect(title).toMatch(/^(Create|Retrieve|List|Cancel|Close|Activate|Stream) /);
  for (const { description, requestBody } of operations)
    expect(
      requestBody === undefined ||
        /(The API key needs the scope `[a-z:]+`|Any API key can be used)\.$/.test(description),
    ).toBe(true);
});
