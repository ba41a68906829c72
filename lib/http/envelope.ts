import { type AppError, ERROR_STATUS } from "@/lib/errors";
import { writeJson } from "@/lib/http/exact-json";
import { offerReply, type Reply } from "@/lib/http/shortcut";

const COMMON_HEADERS = {
  "Content-Type": "application/json; charset=utf-8",
  "Cache-Control": "no-store",
  "X-Content-Type-Options": "nosniff",
};

/** What a handler answers when all went well. */
export interface Success {
  data: object;
  headers: Record<string, string>;
}

/** Code 0 with `data`. */
export function success(data: object, headers: Record<string, string> = {}): Success {
  return { data, headers };
}

/** The envelope of contract §1 around a success. */
export function successReply({ data, headers }: Success, requestId: string): Reply {
  return {
    status: 200,
    headers: { ...COMMON_HEADERS, "X-Request-Id": requestId, ...headers },
    body: writeJson({ code: 0, message: "success", data, request_id: requestId }),
  };
}

/** The envelope of contract §1 around an error that is meant for the caller. */
export function errorReply(error: AppError, requestId: string): Reply {
  const { code, message, data, errors, headers } = error;
  const retry = error.httpStatus === ERROR_STATUS[10006] ? { "Retry-After": "5" } : {};
  return {
    status: error.httpStatus,
    headers: { ...COMMON_HEADERS, "X-Request-Id": requestId, ...retry, ...headers },
    body: writeJson({ code, message, data, errors, request_id: requestId }),
  };
}

/** A reply as route handlers give it. */
export function toResponse(reply: Reply): Response {
  const { status, headers, body } = reply;
  return offerReply(new Response(body, { status, headers }), reply);
}
