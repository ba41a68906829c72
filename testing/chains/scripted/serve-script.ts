import { answerRpc } from "@/sandbox/nodes/json-rpc-answer";
import { serveJson } from "@/sandbox/nodes/json-server";

interface ScriptedCall {
  method: string;
  params: readonly unknown[];
}

/**
 * Serves a scripted node over HTTP. Bodies with a method are JSON-RPC calls; others are calls of an HTTP API, with the path as the method
 * and the body as the only parameter.
 */
export async function serveScript(
  answer: (call: ScriptedCall) => unknown,
): Promise<{ url: string; stop(): Promise<void> }> {
  const { url, close } = await serveJson(async ({ path, body }) => {
    const isRpc = Array.isArray(body) || (typeof body === "object" && body !== null && "method" in body);
    const reply = isRpc
      ? await answerRpc(body, (method, params) => answer({ method, params }))
      : answer({ method: path, params: [body] });
    return { status: 200, body: reply };
  });
  return { url, stop: close };
}
