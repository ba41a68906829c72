import { getContext } from "@/app/context";
import { missingPage, referencePage } from "@/components/docs/document";
import { listPages, searchEntries } from "@/components/docs/reference";
import { problem } from "@/lib/domain/problems/problem";
import { callOfRequest } from "@/lib/http/api-call";
import { openApiDocument } from "@/lib/http/openapi/document";
import { problemResponse } from "@/lib/http/public-problem";
import { responseOf } from "@/lib/http/reply";
import packageJson from "@/package.json" with { type: "json" };

const SEARCH = "search.json";

/**
 * Returns a page of the API reference, or the entries of its search.
 * @param slug "" for the start page
 */
export async function answerReference(request: Request, slug: string): Promise<Response> {
  const { env, now, pages, visitors } = getContext();
  const wait = visitors.view(request, now());
  if (wait > 0) return problemResponse(problem("too_many_views", { seconds: wait }));
  const document = openApiDocument(env, packageJson.version);
  if (slug === SEARCH) return Response.json(searchEntries(document), { headers: { "cache-control": "no-cache" } });
  const isKnown = listPages(document).some((page) => page.slug === slug);
  const name = isKnown ? `docs ${slug}` : "docs missing";
  const make = () => referencePage(document, slug) ?? missingPage(document);
  return responseOf(await pages.answer(callOfRequest(request), name, make, { status: isKnown ? 200 : 404 }));
}
