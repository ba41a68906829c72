/** A measurement and the limit that it is compared with, both from the same run. */
export interface Row {
  /** The part of the benchmark. */
  part: string;
  what: string;
  /** The unit of both values. */
  unit: string;
  ours: number;
  /** The name of the limit and its value. */
  limit: { what: string; value: number };
  /** Specifies whether a higher or a lower value is better. */
  better: "more" | "less";
}

/** A part that was not measured, with the reason. */
export interface Skipped {
  part: string;
  what: string;
  why: string;
  /** True if the part should have been measured. */
  hasFailed?: boolean;
}

export type Line = Row | Skipped;

/**
 * Returns the share of the limit that is reached; 1 is the full limit, whether higher or lower values are better.
 * @returns null if the values cannot be compared
 */
export function shareOf({ ours, limit, better }: Row): number | null {
  const [best, other] = better === "more" ? [ours, limit.value] : [limit.value, ours];
  const share = best / other;
  return Number.isFinite(share) && ours > 0 && limit.value > 0 ? share : null;
}

/** Returns a line as four cells: the description, our value, the limit, and the share of the limit that is reached. */
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

/** Returns the number with three significant digits, but with all digits before the decimal point. */
export function figure(value: number): string {
  if (!Number.isFinite(value)) return "?";
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
}
