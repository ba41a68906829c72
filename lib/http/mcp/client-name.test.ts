import { expect, test } from "vitest";
import { clientName, sessionOf } from "@/lib/http/mcp/client-name";

const from = (headers: Record<string, string> = {}) => ({ header: (name: string) => headers[name] ?? null });
const now = new Date("2026-11-28T06:00:00Z");
const initialize = (clientInfo: unknown) => ({ method: "initialize", params: { clientInfo } });
const ping = { method: "ping" };

test("the name of a client comes from its message, its session or its program", () => {
  const session = sessionOf("Agent Zürich 2", now);
  expect(session).toMatch(/^[\x21-\x7e]+$/);
  expect(clientName(from(), initialize({ name: "agent", version: "1.0" }))).toBe("agent 1.0");
  expect(clientName(from({ "mcp-session-id": session, "user-agent": "node" }), ping)).toBe("Agent Zürich 2");
  const meta = { _meta: { "io.modelcontextprotocol/clientInfo": { name: "modern", version: "2" } } };
  expect(clientName(from({ "mcp-session-id": session }), { ...ping, params: meta })).toBe("modern 2");
  expect(clientName(from({ "user-agent": "node" }), ping)).toBe("node");
  expect(clientName(from(), ping)).toBe("unknown");
});

test("a name is shortened and has no control characters, and a malformed session has none", () => {
  expect(clientName(from(), initialize({ name: `a\u0000\n\u202eb${"x".repeat(200)}` }))).toBe(`ab${"x".repeat(78)}`);
  for (const info of [null, 3, {}, { name: 3 }, { name: " " }])
    expect(clientName(from(), initialize(info))).toBe("unknown");
  for (const session of ["x", "..", sessionOf("agent", now).slice(1), `${"0".repeat(28)}.!!`])
    expect(clientName(from({ "mcp-session-id": session }), ping)).toBe("unknown");
});
