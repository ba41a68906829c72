import { type ApiCode, apiCodeOf } from "@/lib/domain/problems/api-codes";
import { inEnglish } from "@/lib/domain/problems/in-english";
import { type FieldError, fieldError, type Problem, problem } from "@/lib/domain/problems/problem";

interface AppErrorOptions {
  /** The invalid fields; absent if the problem itself is about a field. */
  errors?: readonly FieldError[];
  /** The data that a program needs to continue, such as the `trade_id` of the conflicting order. */
  data?: Record<string, unknown>;
  headers?: Record<string, string>;
  /** The Retry-After of the response, in seconds. */
  retryAfterSeconds?: number;
  cause?: unknown;
}

/** A problem that is meant for the caller; any other thrown error is returned as 10099. */
export class AppError extends Error {
  override readonly name = "AppError";
  readonly problem: Problem;
  /** The API code of the problem. */
  readonly code: ApiCode;
  readonly errors: readonly FieldError[] | undefined;
  readonly data: Record<string, unknown> | undefined;
  readonly headers: Record<string, string>;
  readonly retryAfterSeconds: number | null;

  constructor(invalid: Problem | FieldError, options: AppErrorOptions = {}) {
    super(inEnglish(invalid), { cause: options.cause });
    this.problem = invalid;
    this.code = apiCodeOf(invalid.code);
    this.errors = options.errors ?? ("field" in invalid ? [invalid] : undefined);
    this.data = options.data;
    this.headers = options.headers ?? {};
    this.retryAfterSeconds = options.retryAfterSeconds ?? null;
  }
}

/** Returns the error for a problem of one field. */
export function invalidField(field: string, invalid: Problem): AppError {
  return new AppError(fieldError(field, invalid));
}

/** Returns the error that lists every invalid field of a request. */
export function invalidFields(errors: readonly FieldError[]): AppError {
  return new AppError(problem("fields_invalid", { errors }), { errors });
}
