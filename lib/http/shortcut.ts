/** An answer of the API, before it becomes a Response. */
export interface Reply {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/**
 * What the process's own listener and the API's handlers tell each other beside Request and Response: the body as
 * node:http reads it, the reply before it became a Response. Both spare streams, the dearest part of a small request.
 * A handler that runs elsewhere, as in Next, finds nothing here and goes the long way.
 */
const bodies = new WeakMap<Request, () => Promise<Uint8Array>>();
const replies = new WeakMap<Response, Reply>();

/** Says how to read the body of a request; `read` rejects as `readBody` does. */
export function offerBody(request: Request, read: () => Promise<Uint8Array>): void {
  bodies.set(request, read);
}

/** How to read the body of a request, if anybody said so. */
export function offeredBody(request: Request): (() => Promise<Uint8Array>) | undefined {
  return bodies.get(request);
}

/** Remembers what a Response was made of. */
export function offerReply(response: Response, reply: Reply): Response {
  replies.set(response, reply);
  return response;
}

/** What a Response was made of, if anybody said so. */
export function offeredReply(response: Response): Reply | undefined {
  return replies.get(response);
}
