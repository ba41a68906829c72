import { expect, test, vi } from "vitest";
import type { ApiContext } from "@/lib/http/api-route";
import { callTool } from "@/lib/http/mcp/call-tool";
import { toolsOf } from "@/lib/http/mcp/tools";
import { openApiDocument } from "@/lib/http/openapi/document";
import { TEST_ENV } from "@/testing/web";

const tool = toolsOf(openApiDocument(TEST_ENV, "1.2.3")).find(({ path }) => path === "link/list");
const call = {
  method: "POST",
  target: "/mcp",
  directPeer: null,
  header: (name: string) => (name === "x-request-id" ? "request-1" : null),
  readBody: async () => new Uint8Array(),
};

test("a call that cannot be recorded is an error without details of the database", async () => {
  const execute = () => Promise.reject(new Error("relation audit_events does not exist"));
  const log = { error: vi.fn() };
  const context = { env: TEST_ENV, pool: { db: { execute } }, log, now: () => new Date() } as unknown as ApiContext;
  const body = '{"code":0,"message":"success","data":{"links":[],"next_cursor":null},"request_id":"request-1"}';
  const answer = vi.fn(async () => ({ status: 200, headers: {}, body }));
  if (!tool) throw new Error("link/list has a tool");
  const caller = { merchantId: "m", apiKeyId: "k" };
  const { result } = await callTool(context, { answer }, { tool, text: "{}", call, caller, client: "test" });
  expect(answer).toHaveBeenCalledOnce();
  expect(result.isError).toBe(true);
  expect(JSON.stringify(result)).toContain("An internal error occurred; report the request_id request-1");
  expect(JSON.stringify(result)).not.toContain("audit_events");
  expect(log.error).toHaveBeenCalledOnce();
});

test("a call beyond a limit is refused and not recorded", async () => {
  const execute = vi.fn();
  const context = { env: TEST_ENV, pool: { db: { execute } }, now: () => new Date() } as unknown as ApiContext;
  const body = '{"code":10005,"message":"Too many","request_id":"request-1"}';
  const answer = async () => ({ status: 429, headers: { "Retry-After": "3", "X-Request-Id": "request-1" }, body });
  if (!tool) throw new Error("link/list has a tool");
  const caller = { merchantId: "m", apiKeyId: "k" };
  const answered = await callTool(context, { answer }, { tool, text: "{}", call, caller, client: "test" });
  expect(answered).toMatchObject({ result: { isError: true }, headers: { "Retry-After": "3" } });
  expect(answered.headers).not.toHaveProperty("X-Request-Id");
  expect(execute).not.toHaveBeenCalled();
});
