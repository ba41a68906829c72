import { getContext } from "@/app/context";
import { docsPage } from "@/components/docs/document";
import { callOfRequest } from "@/lib/http/api-call";
import { openApiDocument } from "@/lib/http/openapi/document";
import { responseOf } from "@/lib/http/reply";
import { refuseForNow, TOO_MANY_VIEWS } from "@/lib/http/visitors";
import packageJson from "@/package.json" with { type: "json" };

/** The merchants' API for people: what /api/openapi.json is for programs. */
export async function GET(request: Request): Promise<Response> {
  const { env, now, pages, visitors } = getContext();
  const wait = visitors.view(request, now());
  if (wait > 0) return refuseForNow(TOO_MANY_VIEWS, wait);
  const make = () => docsPage(openApiDocument(env, packageJson.version));
  return responseOf(await pages.answer(callOfRequest(request), "docs", make));
}
