/**
 * A proxy that behaves like a distant node: it forwards every call and delays the response by some milliseconds. It prints
 * "Listening on <url>". Runs unbuilt: slow-node.ts <url> <milliseconds>
 */
import { setTimeout as sleep } from "node:timers/promises";
import * as z from "zod";
import { serveJson } from "@/sandbox/nodes/json-server";

const [url, late] = z.tuple([z.url(), z.coerce.number().int().positive()]).parse(process.argv.slice(2));

const server = await serveJson(async ({ body }) => {
  const headers = { "content-type": "application/json" };
  const passed = fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  const [response] = await Promise.all([passed, sleep(late)]);
  return { status: response.status, body: await response.json() };
});
console.log(`Listening on ${server.url}`);
