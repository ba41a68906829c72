import { expect, test } from "vitest";
import { toolsOf } from "@/lib/http/mcp/tools";
import { openApiDocument } from "@/lib/http/openapi/document";
import { TEST_ENV } from "@/testing/web";

const document = openApiDocument(TEST_ENV, "1.2.3");
const { schemas } = document.components;
const tools = toolsOf(document);

/** Returns a value with the components of the document in place of references. */
function inline(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inline);
  if (typeof value !== "object" || value === null) return value;
  const { $ref, ...own } = value as Record<string, unknown>;
  const entries = Object.entries(own).map(([name, one]) => [name, inline(one)]);
  const target = typeof $ref === "string" ? inline(schemas[$ref.split("/").at(-1) ?? ""]) : {};
  return { ...(target as object), ...Object.fromEntries(entries) };
}

test.each(tools.map((tool) => [tool.definition.name, tool] as const))(
  "%s: its schemas, title and scope are those of its operation in the OpenAPI document",
  (_name, { definition, path, number }) => {
    const operation = document.paths[`/api/v1/pay/${path}`]?.post;
    const body = operation?.requestBody?.content["application/json"]?.schema;
    const request = body?.$ref ?? body?.anyOf?.[0]?.$ref;
    const {
      anyOf: _any,
      oneOf: _one,
      allOf: _all,
      ...component
    } = inline({ $ref: request }) as Record<string, unknown>;
    const required = new Set([...((component["required"] as string[]) ?? []), ...(number === null ? [] : [number])]);
    expect(definition.inputSchema).toEqual({ ...component, ...(required.size > 0 && { required: [...required] }) });
    const answer = operation?.responses["200"]?.content?.["application/json"]?.schema.properties?.["data"];
    expect(definition.outputSchema).toEqual(inline(answer));
    expect(definition.title).toBe(operation?.summary);
    expect(JSON.stringify(definition)).not.toContain("$ref");
  },
);

test("a tool that creates an object requires the merchant's number of the object", () => {
  const creating = tools.filter(({ effect }) => effect === "creates");
  expect(creating.map(({ number }) => number)).toEqual([
    "mch_order_id",
    "mch_order_id",
    "mch_link_id",
    "mch_refund_id",
  ]);
  for (const { definition, number } of creating) expect(definition.inputSchema.required).toContain(number);
  for (const { definition } of tools)
    expect(/^create/.test(definition.name)).toBe(
      definition.inputSchema.required?.some((name) => name.startsWith("mch_")) ?? false,
    );
});

test("no tool reaches keys, addresses, users or settings, and descriptions name tools instead of paths", () => {
  for (const { path, definition } of tools) {
    expect(path).toMatch(/^(order|link|refund|transfer|report|payment-methods|merchant)\b/);
    expect(definition.description).not.toMatch(/`(order|link|refund)\/\w+`/);
  }
});
