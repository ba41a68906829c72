import { insertAuditEvent } from "@/db/queries/merchants/audit-events";
import { cutObject } from "@/lib/domain/fields/json-value";
import { isId } from "@/lib/domain/id";
import { inEnglish } from "@/lib/domain/problems/in-english";
import { fieldError, problem } from "@/lib/domain/problems/problem";
import type { ApiCall } from "@/lib/http/api-call";
import type { ApiContext, RouteHandler } from "@/lib/http/api-route";
import { networkOf } from "@/lib/http/authenticate";
import type { Tool } from "@/lib/http/mcp/tools";
import { toPublicError } from "@/lib/http/public-error";
import { countRequest } from "@/lib/http/rate-limit";
import type { Caller } from "@/lib/orders/create-order";

/** A call of a tool, by a client with an API key. */
interface ToolCall {
  tool: Tool;
  /** The arguments as JSON text, exactly as the client sent them. */
  text: string;
  /** The request that contains the call. */
  call: ApiCall;
  caller: Caller;
  client: string;
}

/** The result of a tool in the format of the Model Context Protocol. */
interface ToolResult {
  content: { type: "text"; text: string }[];
  structuredContent?: Record<string, unknown>;
  isError?: true;
}

/** The envelope of a response of the API. */
interface Envelope {
  code: number;
  message: string;
  data?: Record<string, unknown>;
  errors?: { field: string; message: string }[];
  request_id: string;
}

const API_BASE = "/api/v1/pay/";
const MAX_ERROR = 300;
/** The headers with the state of the key's limit, and the wait after a refusal. */
const LIMITS = ["RateLimit-Policy", "RateLimit", "Retry-After"];

/** The result of a call, and the headers with the state of the key's rate limit. */
interface ToolAnswer {
  result: ToolResult;
  headers: Record<string, string>;
}

/**
 * Calls a tool: runs its operation of the API with the arguments as the body, and then records the call in the audit log. The result is
 * returned only after the call was recorded; if it cannot be recorded, the result is an error, and repeating the call is safe.
 */
export async function callTool(
  context: ApiContext,
  handler: Pick<RouteHandler, "answer">,
  toolCall: ToolCall,
): Promise<ToolAnswer> {
  try {
    return await runOperation(context, handler, toolCall);
  } catch (error) {
    const requestId = toolCall.call.header("x-request-id") ?? "";
    const { code, message } = toPublicError(context, { requestId, ...toolCall.caller }, error);
    return { result: failure(message, { code, request_id: requestId }), headers: {} };
  }
}

async function runOperation(
  context: ApiContext,
  handler: Pick<RouteHandler, "answer">,
  toolCall: ToolCall,
): Promise<ToolAnswer> {
  const { tool, text } = toolCall;
  const missing = tool.number !== null && !hasNumber(text, tool.number) ? tool.number : null;
  if (missing !== null) {
    const headers = await countRequest(context, "creates", toolCall.caller.apiKeyId, context.now());
    const message = inEnglish(fieldError(missing, problem("agent_number_missing")));
    const refused = { code: 10001, message, errors: [{ field: missing, message }] };
    await record(context, toolCall, { ...refused, request_id: "" });
    return { result: failure(message, refused), headers };
  }
  const reply = await handler.answer(operationCall(toolCall));
  const body = String(reply.body);
  const envelope = JSON.parse(body) as Envelope;
  await record(context, toolCall, envelope);
  const headers = Object.fromEntries(Object.entries(reply.headers).filter(([name]) => LIMITS.includes(name)));
  if (envelope.code !== 0) {
    const { message, ...details } = envelope;
    return { result: failure(message, details), headers };
  }
  const isReplayed = reply.headers["Idempotent-Replayed"] === "true";
  return { result: success(tool, body, envelope, isReplayed), headers };
}

/** Returns the request of the operation, with the headers of the client's request, except those of a signature over another body. */
function operationCall({ tool, text, call }: ToolCall): ApiCall {
  return {
    method: "POST",
    target: API_BASE + tool.path,
    header: (name) => (name.startsWith("webhook-") ? null : call.header(name)),
    directPeer: call.directPeer,
    readBody: async () => Buffer.from(text),
  };
}

function hasNumber(text: string, name: string): boolean {
  const given = (JSON.parse(text) as Record<string, unknown>)[name];
  return given !== undefined && given !== null && given !== "";
}

const textOf = (text: string) => ({ type: "text" as const, text });

function success(tool: Tool, body: string, { data = {} }: Envelope, isReplayed: boolean): ToolResult {
  const notices = [
    ...(isReplayed ? ["The object existed before this call; nothing new was created."] : []),
    ...(tool.after === null ? [] : [tool.after]),
  ];
  // The text has the exact digits of amounts, which the parsed data may not have.
  const content = [cutObject(body, "data").text, ...notices].map(textOf);
  return { content, structuredContent: data };
}

function failure(message: string, details: object): ToolResult {
  return { content: [textOf(message), textOf(JSON.stringify(details))], isError: true };
}

/** The members of the data that identify the object of a call. */
const SUBJECTS = ["refund_id", "link_id", "trade_id"];

/** The code of a call beyond a limit. Such calls have no effect and are not recorded, so that they cannot fill the audit log. */
const TOO_MANY = 10005;

/** Adds the call to the merchant's audit log. Only calls that can change an order appear in the order's history. */
async function record(
  context: ApiContext,
  { tool, caller, client, call }: ToolCall,
  { code, message, data = {} }: Envelope,
): Promise<void> {
  if (code === TOO_MANY) return;
  const { merchantId, apiKeyId } = caller;
  const subject = SUBJECTS.map((name) => data[name]).find((id) => typeof id === "string");
  const order = tool.effect === "reads" ? null : data["trade_id"];
  const about = { apiKeyId, client, tool: tool.definition.name, ip: networkOf(context, call) };
  const isDone = code === 0;
  const event = {
    merchantId,
    orderId: typeof order === "string" && isId(order) ? order : null,
    action: isDone ? ("agent.called" as const) : ("agent.refused" as const),
    detail: {
      ...about,
      ...(subject && { subjectId: subject }),
      ...(!isDone && { error: message.slice(0, MAX_ERROR) }),
    },
  };
  await insertAuditEvent(context.pool.db, event, context.now());
}
