import * as z from "zod";

const Call = z.object({
  method: z.string(),
  params: z.array(z.unknown()).default([]),
  id: z.union([z.string(), z.number(), z.null()]).default(null),
});

/** A JSON-RPC error. */
export class RpcProblem extends Error {
  override readonly name = "RpcProblem";
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

export type RpcMethod = (params: readonly unknown[]) => unknown;

/**
 * Returns the response to one JSON-RPC call or a batch of calls. Errors thrown by `run` become JSON-RPC errors: RpcProblem with its code,
 * others with −32603.
 */
export async function answerRpc(
  body: unknown,
  run: (method: string, params: readonly unknown[]) => unknown,
): Promise<unknown> {
  if (!Array.isArray(body)) return answerOne(body, run);
  return Promise.all(body.map((call) => answerOne(call, run)));
}

async function answerOne(
  body: unknown,
  run: (method: string, params: readonly unknown[]) => unknown,
): Promise<unknown> {
  const call = Call.safeParse(body);
  if (!call.success) return { jsonrpc: "2.0", error: { code: -32600, message: "Invalid request" }, id: null };
  const { method, params, id } = call.data;
  try {
    return { jsonrpc: "2.0", result: (await run(method, params)) ?? null, id };
  } catch (error) {
    return { jsonrpc: "2.0", error: toWire(error), id };
  }
}

function toWire(error: unknown): { code: number; message: string; data?: unknown } {
  if (error instanceof RpcProblem) {
    const { code, message, data } = error;
    return data === undefined ? { code, message } : { code, message, data };
  }
  if (error instanceof z.ZodError) return { code: -32602, message: `Invalid params: ${z.prettifyError(error)}` };
  return { code: -32603, message: error instanceof Error ? error.message : "Internal error" };
}

/**
 * Runs the method with this name.
 * @throws RpcProblem −32601 if there is no such method
 */
export function runMethod(methods: ReadonlyMap<string, RpcMethod>, name: string, params: readonly unknown[]): unknown {
  const method = methods.get(name);
  if (!method) throw new RpcProblem(-32601, "Method not found");
  return method(params);
}
