/** One table: public error code → HTTP status (contract §1). */
export const ERROR_STATUS = {
  10001: 400,
  10002: 401,
  10003: 404,
  10004: 409,
  10005: 429,
  10006: 503,
  10099: 500,
} as const;
export type ErrorCode = keyof typeof ERROR_STATUS;

export interface FieldError {
  field: string;
  message: string;
}

/** What a story answers when one field of a form is wrong; the field "" stands for the form itself. */
export function wrong(field: string, message: string): { errors: FieldError[] } {
  return { errors: [{ field, message }] };
}

interface AppErrorOptions {
  errors?: FieldError[];
  data?: Record<string, unknown>;
  /** Overrides the table: 405, 413 and 404 for a wrong method, an oversize body and an unknown path. */
  httpStatus?: number;
  headers?: Record<string, string>;
  /** When it makes sense to ask again; the Retry-After of the answer. */
  retryAfterSeconds?: number;
  cause?: unknown;
}

/** An error whose message is meant for the caller; anything else thrown becomes 10099 at the edge. */
export class AppError extends Error {
  override readonly name = "AppError";
  readonly code: ErrorCode;
  readonly errors: FieldError[] | undefined;
  readonly data: Record<string, unknown> | undefined;
  readonly httpStatus: number;
  readonly headers: Record<string, string>;
  readonly retryAfterSeconds: number | null;

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.errors = options.errors;
    this.data = options.data;
    this.httpStatus = options.httpStatus ?? ERROR_STATUS[code];
    this.headers = options.headers ?? {};
    this.retryAfterSeconds = options.retryAfterSeconds ?? null;
  }
}

/** An error of one field of the request, named in the message too. @param code 10001 or 10004 */
export function fieldError(
  field: string,
  message: string,
  code: ErrorCode = 10001,
  data?: AppErrorOptions["data"],
): AppError {
  return new AppError(code, message, { errors: [{ field, message }], ...(data && { data }) });
}
