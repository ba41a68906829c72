import { getContext } from "@/app/context";
import { fileAnswer } from "@/app/dashboard/file-answer";
import { authenticateAction, requirePerson } from "@/app/session";
import { parseFileForm } from "@/lib/domain/reports";
import { balanceSheet } from "@/lib/reports/balances";
import { recordDownload } from "@/lib/reports/export-audit";
import { streamFile } from "@/lib/reports/file-stream";

/** GET /dashboard/reports/balances?file=csv|xlsx: returns the ledger and on-chain balances of each address, as a file. */
export async function GET(request: Request): Promise<Response> {
  const person = await requirePerson();
  const { env, pool, now } = getContext();
  const form = parseFileForm(new URL(request.url).searchParams);
  const who = await authenticateAction(person);
  await recordDownload(pool.db, { ...who, file: "balances", filter: "" }, now());
  const sheet = balanceSheet(pool.db, new Set(env.rpcUrls.keys()), person.merchantId);
  return fileAnswer(streamFile([sheet], form), `balances-${now().toISOString().slice(0, 10)}`, form);
}
