/** Whether this process answers at all: a supervisor begins it anew where it does not. Nothing else is looked at. */
export function GET(): Response {
  return Response.json({ status: "ok" }, { headers: { "Cache-Control": "no-store" } });
}
