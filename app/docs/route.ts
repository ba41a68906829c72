import { getContext } from "@/app/context";
import { docsPage } from "@/components/docs/document";
import { htmlAnswer } from "@/lib/http/html-answer";
import { openApiDocument } from "@/lib/http/openapi/document";
import { refuseForNow, TOO_MANY_VIEWS } from "@/lib/http/visitors";
import packageJson from "@/package.json" with { type: "json" };

/** The merchants' API for people: what /api/openapi.json is for programs. */
export async function GET(request: Request): Promise<Response> {
  const { env, now, visitors } = getContext();
  const wait = visitors.view(request, now());
  if (wait > 0) return refuseForNow(TOO_MANY_VIEWS, wait);
  const { html, policy } = docsPage(openApiDocument(env, packageJson.version));
  return htmlAnswer(request, html, { policy });
}
