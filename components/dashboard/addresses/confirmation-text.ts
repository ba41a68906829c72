import type { Translate } from "@/components/messages/translate";
import type { ConfirmationSetting, MerchantWait } from "@/lib/domain/networks/finality";

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

type Text = Translate<"confirmations">;

/** Returns "At least 30 confirmations (your setting)", or the confirmations by the network's own rule. */
export function confirmationText({ minConfirmations, minSeconds, byRule, by }: ConfirmationSetting, t: Text): string {
  if (minSeconds !== null) return t("atLeastLong", { time: duration(minSeconds) });
  if (minConfirmations !== null) return t("atLeastCount", { count: minConfirmations });
  return t(by === "depth" ? "count" : "finalized", { count: byRule });
}

/** Returns the expected confirmation time of a payment: "about 2 minutes". */
export function waitText({ required, blockMs }: Pick<ConfirmationSetting, "required" | "blockMs">, t: Text): string {
  const ms = required * blockMs;
  if (ms < MINUTE_MS) return t("soon");
  if (ms < 2 * HOUR_MS) return t("minutes", { count: Math.round(ms / MINUTE_MS) });
  return t("hours", { count: Math.round(ms / HOUR_MS) });
}

/** Returns the network's own rule, which always applies. */
export function ruleText({ by, byRule }: Pick<ConfirmationSetting, "by" | "byRule">, t: Text): string {
  return t(by === "depth" ? "ruleDepth" : "ruleTag", { count: byRule });
}

/** Returns the hint of the field: the accepted input, and the effect of a lower number or an empty field. */
export function fieldHint(setting: Pick<ConfirmationSetting, "by" | "byRule" | "max">, t: Text): string {
  return t("fieldHint", { rule: ruleText(setting, t), max: setting.max });
}

/** Returns the setting in the form in which a user types it: "30", "10 min"; empty if not set. */
export function typedWait({ minConfirmations, minSeconds }: MerchantWait): string {
  return minSeconds === null ? String(minConfirmations ?? "") : duration(minSeconds);
}

/** Returns "90 s", "10 min" or "2 h": the largest exact unit, in a form that can be typed in every language. */
function duration(seconds: number): string {
  if (seconds % 3_600 === 0) return `${seconds / 3_600} h`;
  return seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`;
}
