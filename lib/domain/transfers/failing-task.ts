/**
 * What the worker does with rows that may fail alone: match or confirm a transfer, expire an order, release what a quote holds,
 * write down what a look at a refund showed.
 */
export type FailingTask = "match" | "confirm" | "expire" | "release" | "refund";

/** Which error it was, for the log and for people: its kind and code, and nothing of the row that it was about. */
export function failureReason(error: unknown): string {
  let at = error;
  for (let depth = 0; depth < 5 && at instanceof Error && at.cause instanceof Error; depth++) at = at.cause;
  if (!(at instanceof Error)) return "unknown error";
  const code = partOf(at, "code");
  const constraint = partOf(at, "constraint_name");
  return [at.name, code, constraint].filter(Boolean).join(" ");
}

/** Where in the code it was thrown; the first line of a stack, which repeats the message, is left out. */
export function failurePlace(error: unknown): string[] {
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
