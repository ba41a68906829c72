import { getContext } from "@/app/context";
import { answersQueries } from "@/lib/http/health";

/** Reports whether this process takes requests: 503 while the database is away or not migrated yet, and once this process is to stop. */
export async function GET(): Promise<Response> {
  const { isChecked, leaving, log, pool } = getContext();
  const status = leaving.isLeaving() ? "stopping" : isChecked() && (await answersQueries(pool.db, log)) ? "ok" : "down";
  return Response.json({ status }, { status: status === "ok" ? 200 : 503, headers: { "Cache-Control": "no-store" } });
}
