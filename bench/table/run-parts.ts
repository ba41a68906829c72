import type { Line } from "@/bench/table/line";

/** A part of the bench: all that it needs it starts and ends itself. */
export interface Part {
  /** A description of the measurement. */
  what: string;
  measure(): Promise<Line[]>;
}

export type Parts = Readonly<Record<string, Part>>;

const MOST_WORDS = 160;

/** Called with the name of the current measurement. */
type Say = (line: string) => void;

/**
 * Measures parts one after another; all of them if none is named. A part that fails gives a line with the reason.
 * @returns the lines, and true if each part was measured
 */
export async function measureParts(
  parts: Parts,
  named: readonly string[],
  say: Say,
): Promise<{ lines: Line[]; isWhole: boolean }> {
  const lines: Line[] = [];
  let isWhole = true;
  for (const name of chosenParts(parts, named)) {
    const { what, measure } = parts[name] as Part;
    say(`measuring ${name}: ${what} …`);
    const measured = await linesOrWhy(name, what, measure, say);
    lines.push(...measured);
    isWhole &&= !measured.some((line) => "hasFailed" in line && line.hasFailed);
  }
  return { lines, isWhole };
}

/** Returns the measured lines, or one line with the reason of the failure. */
export async function linesOrWhy(
  part: string,
  what: string,
  measure: () => Promise<Line[]>,
  say: Say = () => {},
): Promise<Line[]> {
  try {
    return await measure();
  } catch (error) {
    say(error instanceof Error ? (error.stack ?? error.message) : String(error));
    const words = (error instanceof Error ? error.message : String(error)).replace(/\s+/g, " ");
    return [{ part, what, why: `it failed: ${words.slice(0, MOST_WORDS)}`, hasFailed: true }];
  }
}

/** Names of parts, in the order of the table. @throws Error where one is none */
export function chosenParts(parts: Parts, named: readonly string[]): string[] {
  const all = Object.keys(parts);
  const unknown = named.filter((name) => !all.includes(name));
  if (unknown.length > 0) throw new Error(`Unknown part: ${unknown.join(", ")}. Available: ${all.join(", ")}`);
  return named.length > 0 ? all.filter((name) => named.includes(name)) : all;
}
