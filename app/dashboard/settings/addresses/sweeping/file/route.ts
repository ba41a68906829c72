import { getContext } from "@/app/context";
import { authenticateAction, requirePerson } from "@/app/session";
import { type Sweepable, safeFile } from "@/lib/domain/addresses/sweep";
import { getNetwork } from "@/lib/domain/networks";
import { inEnglish } from "@/lib/domain/problems/in-english";
import { problem } from "@/lib/domain/problems/problem";
import { listSweepable, parseMinAmount, sweepPlan, sweepSheet, validateTarget } from "@/lib/receivers/sweeping";
import { recordDownload } from "@/lib/reports/export-audit";
import { streamFile } from "@/lib/reports/file-stream";

const TYPES = { json: "application/json; charset=utf-8", csv: "text/csv; charset=utf-8" } as const;

/**
 * GET /dashboard/settings/addresses/sweeping/file?network=…&source=…[&min=…][&to=…]: returns the balances to sweep. For receivers, it is a
 * file for Safe's Transaction Builder. For a public key's addresses, it is an unsigned list for the wallet that has the keys or, with
 * `to`, unsigned transfers to that address.
 */
export async function GET(request: Request): Promise<Response> {
  const person = await requirePerson();
  const { env, pool, now } = getContext();
  const { searchParams: asked } = new URL(request.url);
  const min = parseMinAmount(asked.get("min") ?? "");
  if (min === null) return new Response(inEnglish(problem("sweep_least_malformed")), { status: 400 });
  const all = await listSweepable(pool.db, env, new Set(env.rpcUrls.keys()), person.merchantId, min);
  const one = all.find(({ network, sourceId }) => network === asked.get("network") && sourceId === asked.get("source"));
  if (!one || one.rows.length === 0) return new Response(inEnglish(problem("sweep_nothing")), { status: 404 });
  const network = getNetwork(one.network);
  if (one.kind === "receiver" && !one.hasFactory)
    return new Response(inEnglish(problem("sweep_factory_unseen", { network: network.name })), { status: 409 });
  const to = one.kind === "xpub" ? asked.get("to") : null;
  const target = to === null ? null : await validateTarget(pool.db, person.merchantId, network, to);
  if (target && "problem" in target) return new Response(inEnglish(target.problem), { status: 400 });
  const who = await authenticateAction(person);
  await recordDownload(pool.db, { ...who, file: "sweeps", filter: `?network=${one.network}` }, now());
  const kind = one.kind === "receiver" || target ? "json" : "csv";
  return new Response(bodyOf(one, target?.to ?? null, now()), {
    headers: {
      "content-type": TYPES[kind],
      "content-disposition": `attachment; filename="sweep-${one.network}.${kind}"`,
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    },
  });
}

function bodyOf(one: Sweepable, to: string | null, now: Date) {
  if (one.kind === "receiver") {
    const { chainId } = getNetwork(one.network);
    return safeFile({ chainId, name: "Sweep receivers" }, one.batches, now);
  }
  return to === null
    ? streamFile([sweepSheet(one)], { kind: "csv", separator: "comma", hasBom: false })
    : sweepPlan(one, to, now);
}
