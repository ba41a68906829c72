import { getContext } from "@/app/context";
import { answersQueries } from "@/lib/http/health";

/** Reports whether this process takes requests: 503 while the database is away or not migrated yet, and once this process is to stop. */
export async function GET(): Promise<Response> {
  const { cells, leaving, log, ...own } = getContext();
  const all = cells ? [...cells.values()] : [own];
  const isReady = async ({ isChecked, pool }: (typeof all)[number]) => isChecked() && answersQueries(pool.db, log);
  const status = leaving.isLeaving() ? "stopping" : (await anyOf(all.map(isReady))) ? "ok" : "down";
  return Response.json({ status }, { status: status === "ok" ? 200 : 503, headers: { "Cache-Control": "no-store" } });
}

/** Of several cells one that answers is enough: the others' merchants are not to be turned away with it. */
async function anyOf(answers: readonly Promise<boolean>[]): Promise<boolean> {
  return (await Promise.all(answers)).includes(true);
}
