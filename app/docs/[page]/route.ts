import { answerReference } from "@/app/docs/answer";

/** Renders a page of the API reference, or returns the entries of its search. */
export async function GET(request: Request, { params }: { params: Promise<{ page: string }> }): Promise<Response> {
  return answerReference(request, (await params).page);
}
