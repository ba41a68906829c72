import { getContext } from "@/app/context";
import { answersQueries } from "@/lib/http/health";

/** Whether requests should be sent here: 503 from the moment on that this process is to stop, and while the database is away. */
export async function GET(): Promise<Response> {
  const { pool, leaving, log } = getContext();
  const status = leaving.isLeaving() ? "stopping" : (await answersQueries(pool.db, log)) ? "ok" : "down";
  return Response.json({ status }, { status: status === "ok" ? 200 : 503, headers: { "Cache-Control": "no-store" } });
}
