import { getContext } from "@/app/context";
import { docsPage } from "@/components/docs/document";
import { problem } from "@/lib/domain/problems/problem";
import { callOfRequest } from "@/lib/http/api-call";
import { openApiDocument } from "@/lib/http/openapi/document";
import { problemResponse } from "@/lib/http/public-problem";
import { responseOf } from "@/lib/http/reply";
import packageJson from "@/package.json" with { type: "json" };

/** Renders the merchants' API as a page. /api/openapi.json is the same for programs. */
export async function GET(request: Request): Promise<Response> {
  const { env, now, pages, visitors } = getContext();
  const wait = visitors.view(request, now());
  if (wait > 0) return problemResponse(problem("too_many_views", { seconds: wait }));
  const make = () => docsPage(openApiDocument(env, packageJson.version));
  return responseOf(await pages.answer(callOfRequest(request), "docs", make));
}
