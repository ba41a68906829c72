import { getContext } from "@/app/context";
import { problem } from "@/lib/domain/problems/problem";
import { openApiDocument } from "@/lib/http/openapi/document";
import { problemResponse } from "@/lib/http/public-problem";
import packageJson from "@/package.json" with { type: "json" };

/** Returns the merchants' API as an OpenAPI 3.1 document. /docs shows the same content as a page. */
export async function GET(request: Request): Promise<Response> {
  const { env, now, visitors } = getContext();
  const wait = visitors.view(request, now());
  if (wait > 0) return problemResponse(problem("too_many_views", { seconds: wait }));
  return Response.json(openApiDocument(env, packageJson.version), { headers: HEADERS });
}

/** The document is public, so pages on other sites may read it. */
const HEADERS = {
  "cache-control": "no-cache",
  "access-control-allow-origin": "*",
  "x-content-type-options": "nosniff",
};
