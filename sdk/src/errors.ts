/** The codes of errors that the API returns. docs/api.md describes them. */
export type ApiErrorCode = 10001 | 10002 | 10003 | 10004 | 10005 | 10006 | 10099;

/** The codes of requests without a valid response. */
export type ConnectionErrorCode = "timeout" | "network" | "invalid_response";

/** The codes of callbacks that must not be trusted. */
export type CallbackErrorCode =
  | "secret_missing"
  | "header_missing"
  | "timestamp_invalid"
  | "timestamp_out_of_range"
  | "signature_invalid"
  | "body_invalid";

/** An error of this package. `code` is for programs, `message` for developers. */
export class StablegateError extends Error {
  readonly code: ApiErrorCode | ConnectionErrorCode | CallbackErrorCode | "wait_timeout";

  constructor(code: StablegateError["code"], message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = new.target.name;
    this.code = code;
  }
}

/** An error that the API returned. */
export class ApiError extends StablegateError {
  declare readonly code: ApiErrorCode;
  /** The HTTP status. */
  readonly status: number;
  /** Identifies the request in the operator's logs. */
  readonly requestId: string | null;
  /** One entry for each invalid field. */
  readonly errors: readonly { field: string; message: string }[];
  /** For a conflict (10004): the `trade_id` or `refund_id` of the existing object, and its `status`. */
  readonly data: Readonly<Record<string, unknown>> | null;
  /** Seconds to wait before the next attempt; null if the response does not say so. */
  readonly retryAfterSeconds: number | null;

  constructor(
    code: ApiErrorCode,
    message: string,
    details: Pick<ApiError, "status" | "requestId" | "errors" | "data" | "retryAfterSeconds">,
  ) {
    super(code, message);
    this.status = details.status;
    this.requestId = details.requestId;
    this.errors = details.errors;
    this.data = details.data;
    this.retryAfterSeconds = details.retryAfterSeconds;
  }
}

/** A request that received no valid response. The server may have processed it. Repeating it is safe. */
export class ConnectionError extends StablegateError {
  declare readonly code: ConnectionErrorCode;
}

/** A callback that must not be trusted. Respond with 401. */
export class CallbackError extends StablegateError {
  declare readonly code: CallbackErrorCode;
}

/** An order that did not reach a final status within the time of `waitForPayment`. */
export class WaitTimeoutError extends StablegateError {
  declare readonly code: "wait_timeout";
}
