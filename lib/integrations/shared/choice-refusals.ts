import type { ChoiceProblem } from "@/lib/domain/checkout/choice";
import { type ProblemCode, problem } from "@/lib/domain/problems/problem";
import { AppError } from "@/lib/errors";
import type { Choice } from "@/lib/orders/choose-method";

const CODES = {
  taken: "choice_amount_reserved",
  closed: "choice_not_offered",
  unrated: "choice_without_rate",
  enough: "choice_changed_too_often",
  often: "choice_changed_too_fast",
} as const satisfies Record<ChoiceProblem, ProblemCode>;

/** Refuses the choice of a payment method that created no quote. @throws AppError 10004 if no choice is possible, 10006 for any other reason */
export function refuseUnquoted(choice: Choice): void {
  if (choice === null) throw new AppError(problem("choice_closed"));
  if ("problem" in choice) throw new AppError(problem(CODES[choice.problem]));
}
