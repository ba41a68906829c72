/**
 * The tasks of the worker whose rows can fail individually: match or confirm a transfer, expire an order, release a quote's hold, store
 * the result of a check of a recorded refund, match or confirm the transfer of a refund, expire a refund.
 */
export type FailingTask =
  | "match"
  | "confirm"
  | "expire"
  | "release"
  | "refund"
  | "match_refund"
  | "confirm_refund"
  | "expire_refund";

/** Returns the kind and code of an error, for the log and for display, without row content. */
export function failureReason(error: unknown): string {
  let at = error;
  for (let depth = 0; depth < 5 && at instanceof Error && at.cause instanceof Error; depth++) at = at.cause;
  if (!(at instanceof Error)) return "unknown error";
  const code = partOf(at, "code");
  const constraint = partOf(at, "constraint_name");
  return [at.name, code, constraint].filter(Boolean).join(" ");
}

/** Returns the stack of an error without its first line, which repeats the message. */
export function failureLocation(error: unknown): string[] {
  const stack = error instanceof Error ? (error.stack ?? "") : "";
  return stack
    .split("\n")
    .filter((line) => /^\s+at /.test(line))
    .slice(0, 8)
    .map((line) => line.trim());
}

function partOf(error: Error, name: string): string {
  const value: unknown = Reflect.get(error, name);
  return typeof value === "string" ? value : "";
}
