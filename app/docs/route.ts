import { answerReference } from "@/app/docs/answer";

/** Renders the start page of the API reference. /api/openapi.json is the same for programs. */
export function GET(request: Request): Promise<Response> {
  return answerReference(request, "");
}
