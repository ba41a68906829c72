import { officeContext, requirePerson, whoIs } from "@/app/session";
import { safeFile } from "@/lib/domain/addresses/sweep";
import { getNetwork } from "@/lib/domain/networks";
import { listSweepable, sweepSheet } from "@/lib/receivers/sweeping";
import { recordDownload } from "@/lib/reports/export-audit";
import { streamFile } from "@/lib/reports/file-stream";

const TYPES = { json: "application/json; charset=utf-8", csv: "text/csv; charset=utf-8" } as const;

/**
 * GET /dashboard/settings/addresses/sweeping/file?network=…&source=…: what is to be swept there; of receivers as a file for Safe's
 * Transaction Builder, of a public key's addresses as an unsigned list for the wallet that has the keys.
 */
export async function GET(request: Request): Promise<Response> {
  const person = await requirePerson();
  const { env, pool, now } = await officeContext();
  const { searchParams: asked } = new URL(request.url);
  const all = await listSweepable(pool.db, env, new Set(env.rpcUrls.keys()), person.merchantId);
  const one = all.find(({ network, sourceId }) => network === asked.get("network") && sourceId === asked.get("source"));
  if (!one) return new Response("Nothing lies there. Read the balances again", { status: 404 });
  const who = await whoIs(person);
  await recordDownload(pool.db, { ...who, file: "sweeps", filter: `?network=${one.network}` }, now());
  const kind = one.kind === "receiver" ? "json" : "csv";
  const body =
    one.kind === "receiver"
      ? safeFile(getNetwork(one.network).chainId, one.batches, now())
      : streamFile([sweepSheet(one)], { kind: "csv", separator: "comma", hasBom: false });
  return new Response(body, {
    headers: {
      "content-type": TYPES[kind],
      "content-disposition": `attachment; filename="sweep-${one.network}.${kind}"`,
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    },
  });
}
