import { english } from "@/lib/domain/problems/english";
import { type FieldError, type Problem, writeProblem } from "@/lib/domain/problems/problem";

/** Writes a problem in English, as the API and the logs have it. */
export function inEnglish(invalid: Problem | FieldError): string {
  return writeProblem(english, invalid);
}
