import type { ConfirmationSetting, MerchantWait } from "@/lib/domain/networks/finality";

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** "At least 30 confirmations, as you asked", or what the network's own rule takes. */
export function confirmationText({ minConfirmations, minSeconds, byRule, by }: ConfirmationSetting): string {
  if (minSeconds !== null) return `At least ${duration(minSeconds)}, as you asked`;
  if (minConfirmations !== null) return `At least ${counted(minConfirmations)}, as you asked`;
  return by === "depth" ? counted(byRule) : `Finalized by the network, ${counted(byRule)} at present`;
}

/** How long a payment is being confirmed: "about 2 minutes". */
export function waitText({ required, blockMs }: Pick<ConfirmationSetting, "required" | "blockMs">): string {
  const ms = required * blockMs;
  if (ms < MINUTE_MS) return "less than a minute";
  if (ms < 2 * HOUR_MS) return about(Math.round(ms / MINUTE_MS), "minute");
  return about(Math.round(ms / HOUR_MS), "hour");
}

/** What the network itself asks for, which always holds. */
export function ruleText({ by, byRule }: Pick<ConfirmationSetting, "by" | "byRule">): string {
  const rule =
    by === "depth" ? `${count(byRule)} by default` : `${count(byRule)} at present, until the block is finalized`;
  return `${rule}; the network's own rule always holds.`;
}

/** What to type in the field, and what a lower or no number means. */
export function fieldHint(setting: Pick<ConfirmationSetting, "by" | "byRule" | "most">): string {
  return `${ruleText(setting)} You can also type a time, such as 90 s, 10 min or 2 h. Less than the rule changes nothing. Leave it empty to go by the network alone; at most ${count(setting.most)}, about a day.`;
}

/** What a person may have typed: "30", "10 min"; empty where nothing is asked for. */
export function typedWait({ minConfirmations, minSeconds }: MerchantWait): string {
  return minSeconds === null ? String(minConfirmations ?? "") : duration(minSeconds);
}

/** "90 s", "10 min", "2 h": in the largest unit that is exact. */
function duration(seconds: number): string {
  if (seconds % 3_600 === 0) return `${seconds / 3_600} h`;
  return seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`;
}

function counted(confirmations: number): string {
  return confirmations === 1 ? "1 confirmation" : `${count(confirmations)} confirmations`;
}

function count(number: number): string {
  return number.toLocaleString("en");
}

function about(number: number, unit: string): string {
  return `about ${number} ${unit}${number === 1 ? "" : "s"}`;
}
