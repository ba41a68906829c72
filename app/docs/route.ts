import { answerReference } from "@/app/docs/answer";

/** Renders the start page of the API reference. /api/openapi.json provides the same content for programs. */
export function GET(request: Request): Promise<Response> {
  return answerReference(request, "");
}
