/** Reports that this process responds to requests. A supervisor restarts the process if this fails. Nothing else is checked. */
export function GET(): Response {
  return Response.json({ status: "ok" }, { headers: { "Cache-Control": "no-store" } });
}
