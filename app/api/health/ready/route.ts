import { getContext } from "@/app/context";
import { answersQueries } from "@/lib/http/health";

/** Whether requests should be sent here: 503 from the moment on that this process is to stop, and while the database is away. */
export async function GET(): Promise<Response> {
  const { pool, cells, leaving, log } = getContext();
  const pools = cells ? [...cells.values()].map((cell) => cell.pool) : [pool];
  const status = leaving.isLeaving()
    ? "stopping"
    : (await anyOf(pools.map(({ db }) => answersQueries(db, log))))
      ? "ok"
      : "down";
  return Response.json({ status }, { status: status === "ok" ? 200 : 503, headers: { "Cache-Control": "no-store" } });
}

/** Of several cells one that answers is enough: the others' merchants are not to be turned away with it. */
async function anyOf(answers: readonly Promise<boolean>[]): Promise<boolean> {
  return (await Promise.all(answers)).includes(true);
}
