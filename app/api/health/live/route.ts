/** Reports that this process responds to requests, without any other checks. A supervisor restarts the process if this request fails. */
export function GET(): Response {
  return Response.json({ status: "ok" }, { headers: { "Cache-Control": "no-store" } });
}
