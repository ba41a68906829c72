import type { Translate } from "@/components/messages/translate";
import type { ConfirmationSetting, MerchantWait } from "@/lib/domain/networks/finality";

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

type Say = Translate<"confirmations">;

/** "At least 30 confirmations, as you asked", or what the network's own rule takes. */
export function confirmationText({ minConfirmations, minSeconds, byRule, by }: ConfirmationSetting, t: Say): string {
  if (minSeconds !== null) return t("atLeastLong", { time: duration(minSeconds) });
  if (minConfirmations !== null) return t("atLeastCount", { count: minConfirmations });
  return t(by === "depth" ? "count" : "finalized", { count: byRule });
}

/** How long a payment is being confirmed: "about 2 minutes". */
export function waitText({ required, blockMs }: Pick<ConfirmationSetting, "required" | "blockMs">, t: Say): string {
  const ms = required * blockMs;
  if (ms < MINUTE_MS) return t("soon");
  if (ms < 2 * HOUR_MS) return t("minutes", { count: Math.round(ms / MINUTE_MS) });
  return t("hours", { count: Math.round(ms / HOUR_MS) });
}

/** What the network itself asks for, which always holds. */
export function ruleText({ by, byRule }: Pick<ConfirmationSetting, "by" | "byRule">, t: Say): string {
  return t(by === "depth" ? "ruleDepth" : "ruleTag", { count: byRule });
}

/** What to type in the field, and what a lower or no number means. */
export function fieldHint(setting: Pick<ConfirmationSetting, "by" | "byRule" | "most">, t: Say): string {
  return t("fieldHint", { rule: ruleText(setting, t), most: setting.most });
}

/** What a person may have typed: "30", "10 min"; empty where nothing is asked for. */
export function typedWait({ minConfirmations, minSeconds }: MerchantWait): string {
  return minSeconds === null ? String(minConfirmations ?? "") : duration(minSeconds);
}

/** "90 s", "10 min", "2 h": in the largest unit that is exact, as it can be typed in every language. */
function duration(seconds: number): string {
  if (seconds % 3_600 === 0) return `${seconds / 3_600} h`;
  return seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`;
}
