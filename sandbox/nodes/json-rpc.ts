import { z } from "zod";

const Answer = z.object({
  result: z.unknown().optional(),
  error: z.object({ message: z.string() }).optional(),
});

const TIMEOUT_MS = 30_000;

/** One JSON-RPC call over HTTP. @throws Error with the method and the node's words. */
export async function jsonRpc(url: string, method: string, params: readonly unknown[]): Promise<unknown> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const answer = Answer.parse(await response.json());
  if (answer.error) throw new Error(`${method}: ${answer.error.message}`);
  return answer.result;
}
