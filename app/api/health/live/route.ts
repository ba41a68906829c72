/** Reports that this process answers requests. A supervisor restarts it if this fails. Nothing else is checked. */
export function GET(): Response {
  return Response.json({ status: "ok" }, { headers: { "Cache-Control": "no-store" } });
}
