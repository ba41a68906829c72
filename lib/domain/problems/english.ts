import { integrationProblems } from "@/lib/domain/problems/english/integrations";
import { orderProblems } from "@/lib/domain/problems/english/orders";
import { requestProblems } from "@/lib/domain/problems/english/requests";
import { shopProblems } from "@/lib/domain/problems/english/shops";
import { userProblems } from "@/lib/domain/problems/english/users";

/**
 * The English sentence of each problem: in responses of the API, in logs and in the back office. `{name}` stands for a parameter of
 * the problem, `{field}` for the name of the field that it is about. The codes and their parameters are typed by this table.
 */
export const english = {
  ...requestProblems,
  ...orderProblems,
  ...shopProblems,
  ...userProblems,
  ...integrationProblems,
} as const;
