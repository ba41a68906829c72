import type { Wire } from "@/fuzz/heads";
import type { Exchange, RawAnswer } from "@/fuzz/raw-client";
import { API_BASE, type Target } from "@/fuzz/targets";
import { ERROR_STATUS } from "@/lib/errors";

/** What no answer may hold: where in the code something broke, what it runs on, what the database said. */
const LEAKS =
  /\n\s+at |\/node_modules\/|\.[cm]?[jt]sx?:\d+|TypeError|ReferenceError|RangeError|SyntaxError|PostgresError|drizzle|ECONNREFUSED|\bselect .+ from\b/i;
const CODES = Object.keys(ERROR_STATUS).map(Number);
/** Statuses that the table of codes allows besides its own (contract §1): wrong path, method, size, time and head. */
const ALSO_10001 = [400, 404, 405, 408, 413, 417, 431];

/** What is wrong with what came back, in words; null when all is well. */
export function checkExchange(target: Target, wire: Wire, { answers, end, rest }: Exchange): string | null {
  if (end === "silent") return "no answer came and the connection stayed open";
  if (rest.length > 0 && end === "closed") return `the connection ended within an answer: ${excerpt(rest)}`;
  if (answers.length === 0 && !wire.mayStaySilent) return "the connection was closed without an answer";
  for (const answer of answers) {
    const problem = checkAnswer(target, answer, wire.isElsewhere === true);
    if (problem) return `${problem}: ${answer.status} ${excerpt(answer.body)}`;
  }
  return null;
}

function checkAnswer(target: Target, answer: RawAnswer, isElsewhere: boolean): string | null {
  const leak = LEAKS.exec(answer.body)?.[0];
  if (leak) return `it tells of the inside (${excerpt(leak)})`;
  if (answer.status >= 500 && !target.mayBeAway) return "a failure of ours";
  return target.path.startsWith(API_BASE) && !isElsewhere ? checkEnvelope(answer) : null;
}

/** Every answer of the API is in its envelope, and its code fits its status. */
function checkEnvelope({ status, headers, body }: RawAnswer): string | null {
  if (body === "") return headers.get("content-length") === "0" ? "an answer without a body" : null;
  const found = parse(body);
  if (typeof found !== "object" || found === null) return "not in the envelope";
  const { code, message, request_id: requestId } = found as Record<string, unknown>;
  if (typeof code !== "number" || typeof message !== "string" || typeof requestId !== "string" || requestId === "")
    return "not in the envelope";
  if (code === 0) return status === 200 ? null : "success with another status";
  if (!CODES.includes(code)) return "a code that nobody knows";
  if (message === "") return "an error without words";
  const own = ERROR_STATUS[code as keyof typeof ERROR_STATUS];
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
