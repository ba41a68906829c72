import { inEnglish } from "@/lib/domain/problems/in-english";
import type { FieldError, Problem } from "@/lib/domain/problems/problem";

/** Returns a result in which each problem is replaced by its English sentence, and each field error by the field and its sentence. */
export function inSentences(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inSentences);
  if (typeof value !== "object" || value === null || value instanceof Date) return value;
  if (isProblem(value)) return "field" in value ? { field: value.field, message: inEnglish(value) } : inEnglish(value);
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, inSentences(part)]));
}

/** A result whose error, if it has one, is a sentence. */
type WithSentence<Result> = Result extends { error: Problem } ? Omit<Result, "error"> & { error: string } : Result;

/** Returns the result of a request with its error as an English sentence. */
export function withErrorSentence<Result extends object>(result: Result): WithSentence<Result> {
  return inSentences(result) as WithSentence<Result>;
}

function isProblem(value: object): value is Problem | FieldError {
  return "code" in value && typeof value.code === "string" && "params" in value;
}
