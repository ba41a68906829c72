import { depositPageProblems, depositProblems } from "@/lib/domain/problems/english/deposits";
import { integrationProblems } from "@/lib/domain/problems/english/integrations";
import { orderProblems } from "@/lib/domain/problems/english/orders";
import {
  deliveryProblems,
  outboundProblems,
  rateSourceProblems,
  signingKeyProblems,
  untranslatedProblems,
} from "@/lib/domain/problems/english/outbound";
import { requestProblems } from "@/lib/domain/problems/english/requests";
import { shopProblems } from "@/lib/domain/problems/english/shops";
import { transportProblems } from "@/lib/domain/problems/english/transport";
import { userProblems } from "@/lib/domain/problems/english/users";

/**
 * The English sentences of the problems that users of the back office can see. They are translated into every other language of the back
 * office.
 */
const translated = {
  ...requestProblems,
  ...orderProblems,
  ...depositProblems,
  ...shopProblems,
  ...userProblems,
  ...outboundProblems,
  ...deliveryProblems,
  ...rateSourceProblems,
} as const;

/**
 * The English sentence of each problem: in responses of the API, in logs and in the back office. `{name}` stands for a parameter of
 * the problem, `{field}` for the name of the field that it is about. The codes and their parameters are typed by this table.
 */
export const english = {
  ...translated,
  ...untranslatedProblems,
  ...signingKeyProblems,
  ...transportProblems,
  ...depositPageProblems,
  ...integrationProblems,
} as const;

/** The sentences of the problems in another language. */
export type Translation = Readonly<Record<keyof typeof translated, string>>;
