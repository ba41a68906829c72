import { english } from "@/lib/domain/problems/english";
import { type FieldError, type Problem, writeProblem } from "@/lib/domain/problems/problem";

/** Returns the English sentence of a problem, as used by the API and the logs. */
export function inEnglish(invalid: Problem | FieldError): string {
  return writeProblem(english, invalid);
}
