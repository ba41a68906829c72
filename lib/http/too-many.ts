/** Why a view was refused. */
export const TOO_MANY_VIEWS = "Too many views came from this address";

/** Refuses for now, in words and with the seconds after which it makes sense to ask again. */
export function tooMany(why: string, retrySeconds: number, status: 429 | 503 = 429): Response {
  return Response.json(
    { message: `${why}; try again in ${retrySeconds} s` },
    { status, headers: { "cache-control": "no-store", "retry-after": String(retrySeconds) } },
  );
}
