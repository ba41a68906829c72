/** A figure and the limit that it is held to, both measured in one run. */
export interface Row {
  /** Part of the bench. */
  part: string;
  what: string;
  /** The unit of both values. */
  unit: string;
  ours: number;
  /** The name of the limit and its value. */
  limit: { what: string; value: number };
  /** The better of two values. */
  better: "more" | "less";
}

/** A part that was not measured, with the reason. */
export interface Skipped {
  part: string;
  what: string;
  why: string;
  /** True if it should have been measured. */
  hasFailed?: boolean;
}

export type Line = Row | Skipped;

/**
 * Returns the share of the limit that is reached: 1 is all of it, independent of the better direction.
 * @returns null if the values cannot be compared
 */
export function shareOf({ ours, limit, better }: Row): number | null {
  const [best, other] = better === "more" ? [ours, limit.value] : [limit.value, ours];
  const share = best / other;
  return Number.isFinite(share) && ours > 0 && limit.value > 0 ? share : null;
}

/** A line as four cells: what, ours, the limit, and the share of it that is reached. */
export function cellsOf(line: Line): readonly [what: string, ours: string, limit: string, share: string] {
  if ("why" in line) return [line.what, "–", `not measured: ${line.why}`, "–"];
  const { what, ours, limit, unit } = line;
  const share = shareOf(line);
  const value = (of: number) => `${figure(of)} ${unit}`;
  return [
    what,
    value(ours),
    `${value(limit.value)} · ${limit.what}`,
    share === null ? "–" : `${(share * 100).toFixed(0)} %`,
  ];
}

/** Three digits that count; all of those before the point. */
export function figure(value: number): string {
  if (!Number.isFinite(value)) return "?";
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
}
