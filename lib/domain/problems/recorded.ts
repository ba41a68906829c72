import { english } from "@/lib/domain/problems/english";
import { type Problem, problem } from "@/lib/domain/problems/problem";

/** Returns a problem as the string that is stored in the database: its code and parameters in JSON. */
export function recordProblem({ code, params }: Problem): string {
  return JSON.stringify({ code, params });
}

/**
 * Returns the problem that a stored string represents. A sentence that an earlier release stored, or a code that only a later release has,
 * becomes the problem `recorded_text`, which shows the string unchanged.
 */
export function readRecordedProblem(text: string): Problem {
  const read = parse(text);
  return isProblem(read) ? read : problem("recorded_text", { text });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Returns true if a value is a problem whose codes, including nested ones, all have sentences. */
function isProblem(value: unknown): value is Problem {
  if (!isRecord(value) || typeof value["code"] !== "string") return false;
  const { code, params } = value;
  return Object.hasOwn(english, code) && isRecord(params) && Object.values(params).every(isParam);
}

function isParam(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isProblem);
  return typeof value === "string" || typeof value === "number" || isProblem(value);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
