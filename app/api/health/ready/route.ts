import { getContext } from "@/app/context";
import { answersQueries } from "@/lib/http/health";

/**
 * Reports whether this process accepts requests: 503 while the database is unreachable or not migrated, and once this
 * process is draining.
 */
export async function GET(): Promise<Response> {
  const { isChecked, leaving, log, pool } = getContext();
  const status = leaving.isLeaving() ? "stopping" : isChecked() && (await answersQueries(pool.db, log)) ? "ok" : "down";
  return Response.json({ status }, { status: status === "ok" ? 200 : 503, headers: { "Cache-Control": "no-store" } });
}
