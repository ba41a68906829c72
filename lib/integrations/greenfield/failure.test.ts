import { expect, test } from "vitest";
import { type Problem, problem } from "@/lib/domain/problems/problem";
import { AppError, invalidField } from "@/lib/errors";
import { httpStatusOf } from "@/lib/http/problem-status";
import { greenfieldFailure } from "@/lib/integrations/greenfield/failure";

const answerTo = (failure: AppError) => greenfieldFailure(failure, httpStatusOf(failure));

test.each<[Problem, number, string]>([
  [problem("amounts_reserved", { network: "BNB Smart Chain" }), 422, "generic-error"],
  [problem("choice_not_offered"), 422, "generic-error"],
  [problem("choice_changed_too_often"), 422, "generic-error"],
  [problem("too_many_webhooks", { max: 20 }), 422, "generic-error"],
  [problem("choice_without_rate"), 503, "unavailable"],
  [problem("networks_not_taking_orders"), 503, "unavailable"],
  [problem("database_unreachable"), 503, "unavailable"],
  [problem("internal_error", { requestId: "01k" }), 500, "internal-error"],
  [problem("nothing_at_path"), 404, "not-found"],
])("%j has HTTP status %i and the code %s", (given, status, code) => {
  expect(answerTo(new AppError(given))).toEqual({ status, body: { code, message: expect.any(String) } });
});

test("invalid fields are listed with the names that clients sent", () => {
  const failure = invalidField("fiat_amount", problem("value_is_missing"));
  expect(answerTo(failure)).toEqual({ status: 422, body: [{ path: "amount", message: expect.any(String) }] });
});
