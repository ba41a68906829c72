import { CHECK_BOX, formChoice, formList, formText, formWhole, optionalText } from "@/lib/domain/fields/form";
import { parseMicro } from "@/lib/domain/money";
import { findNetwork } from "@/lib/domain/networks";
import { problem } from "@/lib/domain/problems/problem";
import { CLAIM_CHECKS, MAX_REFUND_REASON, REFUND_EXPIRES_IN } from "@/lib/domain/refunds/refund";

const DAYS = { min: 1, max: REFUND_EXPIRES_IN.max / 86_400 } as const;

/** An amount as typed, and its value in millionths of a token. */
interface TypedAmount {
  text: string;
  microUnits: bigint;
}

const amount = formText((typed): { value: TypedAmount | null } | { problem: ReturnType<typeof problem> } => {
  const text = typed.trim();
  if (text === "") return { value: null };
  const microUnits = text.length > 40 ? null : parseMicro(text);
  return microUnits !== null && microUnits > 0n
    ? { value: { text, microUnits } }
    : { problem: problem("refund_amount_malformed", { given: text.slice(0, 40) }) };
});

/** The form of the back office that requests a refund. An empty amount means everything that is left. */
export const REFUND_FORM = {
  amount,
  isFiat: CHECK_BOX,
  reason: optionalText((typed) => {
    const { length } = [...typed];
    return length <= MAX_REFUND_REASON
      ? { value: typed }
      : { problem: problem("refund_reason_too_long", { length, max: MAX_REFUND_REASON }) };
  }),
  email: optionalText((typed) =>
    /^[^\s@]{1,64}@[^\s@]{1,189}$/.test(typed)
      ? { value: typed }
      : { problem: problem("email_malformed", { given: typed.slice(0, 60) }) },
  ),
  days: formWhole(DAYS, problem("refund_days_out_of_range", DAYS)),
};

/** The form of the settings for refunds. */
export const REFUND_SETTINGS_FORM = {
  claimCheck: formChoice(CLAIM_CHECKS, problem("refund_check_unknown")),
  networks: formList<string[]>((typed) => ({ value: typed.filter((id) => findNetwork(id) !== null) })),
};
