/**
 * A proxy that behaves like an EVM node on a free plan: it forwards every call, but refuses log queries over too many
 * blocks. It prints "Listening on <url>". Runs unbuilt: narrow-node.ts <url> <blocks>
 */
import * as z from "zod";
import { serveJson } from "@/sandbox/nodes/json-server";

const Wide = z.object({
  method: z.literal("eth_getLogs"),
  params: z.tuple([z.object({ fromBlock: z.string().transform(Number), toBlock: z.string().transform(Number) })]),
});

const [url, max] = z.tuple([z.url(), z.coerce.number().int().positive()]).parse(process.argv.slice(2));

const server = await serveJson(async ({ body }) => {
  const asked = Wide.safeParse(body).data?.params[0];
  if (asked && asked.toBlock - asked.fromBlock >= max) return { status: 400, body: refusal() };
  const headers = { "content-type": "application/json" };
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  return { status: response.status, body: await response.json() };
});
console.log(`Listening on ${server.url}`);

function refusal() {
  const message = `Under the Free tier plan, you can make eth_getLogs requests with up to a ${max} block range`;
  return { jsonrpc: "2.0", id: 1, error: { code: -32600, message } };
}
