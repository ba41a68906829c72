import { EMBED, WALLET_SCRIPT } from "@/components/pay/assets";
import type { Wire } from "@/fuzz/heads";
import type { Exchange, RawAnswer } from "@/fuzz/raw-client";
import { isEnveloped, isIntegration, isJsonRpc, type Target } from "@/fuzz/targets";
import { API_STATUS } from "@/lib/http/problem-status";
import { MODAL_SCRIPT } from "@/lib/integrations/greenfield/modal-script";

/** Patterns that no response may contain: stack traces, platform details, database messages. */
const LEAKS =
  /\n\s+at |\/node_modules\/|\.[cm]?[jt]sx?:\d+|TypeError|ReferenceError|RangeError|SyntaxError|PostgresError|drizzle|ECONNREFUSED|\bselect .+ from\b/i;
/** The plain-text responses, which are neither pages nor envelopes. */
const PLAIN_TEXT =
  /^(?:Not Found|Bad Request|Method Not Allowed|Too many views from this address; try again in \d+ s)\n$/;
const SCRIPTS = [EMBED, WALLET_SCRIPT, MODAL_SCRIPT];
const CODES = Object.keys(API_STATUS).map(Number);
/**
 * The additional HTTP statuses that the table of codes (specification §1) allows for code 10001: for an invalid path, method, size or
 * head, or a timeout.
 */
const ALSO_10001 = [400, 404, 405, 408, 413, 417, 431];

/** Returns a description of an invalid response; null if it is valid. */
export function checkExchange(target: Target, wire: Wire, { answers, end, rest }: Exchange): string | null {
  if (end === "silent") return "no response arrived and the connection stayed open";
  if (rest.length > 0 && end === "closed") return `the connection ended within a response: ${excerpt(rest)}`;
  if (answers.length === 0 && !wire.mayStaySilent) return "the connection was closed without a response";
  for (const answer of answers) {
    const problem = checkAnswer(target, answer, wire);
    if (problem) return `${problem}: ${answer.status} ${excerpt(answer.body)}`;
  }
  return null;
}

function checkAnswer(target: Target, answer: RawAnswer, { isElsewhere = false, isHead = false }: Wire): string | null {
  const leak = LEAKS.exec(answer.body)?.[0];
  if (leak) return `it reveals internals (${excerpt(leak)})`;
  if (answer.headers.has("x-injected")) return "a header that the request injected";
  if (answer.status >= 500 && !target.mayBeAway) return "an internal error";
  if (isHead) return answer.body === "" ? null : "a body where none was requested";
  const isApi = isEnveloped(target) && !isElsewhere;
  if (isApi) return checkEnvelope(answer);
  if (isJsonRpc(target) && !isElsewhere) return checkMessage(answer);
  return isIntegration(target) && !isElsewhere && isJson(answer) ? checkIntegration(answer) : checkPage(answer);
}

/** Checks a message of JSON-RPC 2.0, alone or as a server-sent event; messages that need no response get an empty body. */
function checkMessage(answer: RawAnswer): string | null {
  const { status, headers, body } = answer;
  if (body === "") return status === 202 ? null : "a response without a body";
  const type = headers.get("content-type") ?? "";
  // A path that is not exactly the one of the route leads to the pages.
  if (type.startsWith("text/plain")) return checkPage(answer);
  const isEvent = type === "text/event-stream";
  const found = parse(isEvent ? (/^data: (.*)$/m.exec(body)?.[1] ?? "") : body);
  if (typeof found !== "object" || found === null) return "no message";
  const { jsonrpc, result, error, code } = found as Record<string, unknown>;
  if (code !== undefined) return checkEnvelope(answer);
  if (jsonrpc !== "2.0") return "not a message of JSON-RPC 2.0";
  const sentence = (error as { message?: unknown } | undefined)?.message;
  return result !== undefined || (typeof sentence === "string" && sentence !== "")
    ? null
    : "an error without a message";
}

function isJson({ headers }: RawAnswer): boolean {
  return headers.get("content-type")?.startsWith("application/json") ?? false;
}

/** Checks a response in the format of an integration, whose codes have different names. Other responses must be in the envelope. */
function checkIntegration(answer: RawAnswer): string | null {
  const found = parse(answer.body);
  if (typeof found !== "object" || found === null) return "no object";
  if ("request_id" in found && "code" in found) return checkEnvelope(answer);
  const { code, msg, status_code: status, message } = found as Record<string, unknown>;
  const isText = (value: unknown) => typeof value === "string" && value !== "";
  // Greenfield lists the invalid fields, each by its path.
  if (Array.isArray(found)) {
    const isListed = found.length > 0 && found.every(({ path, message: value }) => isText(path) && isText(value));
    return answer.status === 422 && isListed ? null : "not in the error format of its protocol";
  }
  const isOne = (typeof code === "number" && isText(msg)) || (typeof status === "number" && isText(message));
  // The health of Greenfield needs no token, so that it succeeds for every request.
  if ("synchronized" in found) return answer.status === 200 ? null : "a health that failed";
  // Greenfield also reports errors by the status.
  const isGreenfield = isText(code) && isText(message) && answer.status >= 400;
  return isOne || isGreenfield ? null : "not in the error format of its protocol";
}

/**
 * Checks a response outside the API: it must be one of this service's pages or scripts, a JSON object, one of a few plain-text messages,
 * or a redirect to a page.
 */
function checkPage(answer: RawAnswer): string | null {
  const { status, headers, body } = answer;
  if (status === 303) return headers.get("location")?.startsWith("/pay/") ? null : "led away";
  if (body === "") return null;
  const type = headers.get("content-type") ?? "";
  if (type.startsWith("text/html")) return checkHtml(answer);
  if (type.startsWith("text/plain")) return PLAIN_TEXT.test(body) ? null : "an unknown error message";
  if (type.startsWith("text/javascript")) return SCRIPTS.includes(body) ? null : "an unknown script";
  const found = parse(body);
  if (!type.startsWith("application/json") || typeof found !== "object" || found === null)
    return "not one of our pages";
  // Requests that are not valid HTTP get a response in the envelope on every path.
  if ("code" in found) return checkEnvelope(answer);
  return status < 400 || "message" in found || "database" in found ? null : "an error without a message";
}

function checkHtml({ headers, body }: RawAnswer): string | null {
  if (!headers.get("content-security-policy")?.includes("default-src 'none'")) return "a page without a policy";
  const text = body.trimEnd();
  const isWhole = text.startsWith("<!doctype html>") ? text.endsWith("</html>") : /^<main .*<\/main>$/s.test(text);
  return isWhole ? null : "an incomplete page";
}

/** Checks that a response of the API is in its envelope and that its code matches its status. */
function checkEnvelope({ status, body }: RawAnswer): string | null {
  if (body === "") return "a response without a body";
  const found = parse(body);
  if (typeof found !== "object" || found === null) return "not in the envelope";
  const { code, message, request_id: requestId } = found as Record<string, unknown>;
  if (typeof code !== "number" || typeof message !== "string" || typeof requestId !== "string" || requestId === "")
    return "not in the envelope";
  if (code === 0) return status === 200 ? null : "success with another status";
  if (!CODES.includes(code)) return "an unknown code";
  if (message === "") return "an error without a message";
  const own = API_STATUS[code as keyof typeof API_STATUS];
  return status === own || (code === 10001 && ALSO_10001.includes(status))
    ? null
    : "a status that its code does not have";
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function excerpt(text: string): string {
  return JSON.stringify(text.slice(0, 160));
}
