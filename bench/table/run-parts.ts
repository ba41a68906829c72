import type { Line } from "@/bench/table/line";

/** A part of the benchmark. It starts and stops everything that it needs. */
export interface Part {
  /** A description of the measurement. */
  what: string;
  measure(): Promise<Line[]>;
}

export type Parts = Readonly<Record<string, Part>>;

const MAX_MESSAGE_LENGTH = 160;

/** A function that prints the name of the current measurement. */
type Print = (line: string) => void;

/**
 * Measures parts one after another; all of them if none is named. A part that fails results in a line with the reason.
 * @returns the lines, and true if each part was measured
 */
export async function measureParts(
  parts: Parts,
  named: readonly string[],
  print: Print,
): Promise<{ lines: Line[]; isWhole: boolean }> {
  const lines: Line[] = [];
  let isWhole = true;
  for (const name of chosenParts(parts, named)) {
    const { what, measure } = parts[name] as Part;
    print(`measuring ${name}: ${what} …`);
    const measured = await linesOrWhy(name, what, measure, print);
    lines.push(...measured);
    isWhole &&= !measured.some((line) => "hasFailed" in line && line.hasFailed);
  }
  return { lines, isWhole };
}

/** Returns the measured lines, or one line with the reason for the failure. */
export async function linesOrWhy(
  part: string,
  what: string,
  measure: () => Promise<Line[]>,
  print: Print = () => {},
): Promise<Line[]> {
  try {
    return await measure();
  } catch (error) {
    print(error instanceof Error ? (error.stack ?? error.message) : String(error));
    const text = (error instanceof Error ? error.message : String(error)).replace(/\s+/g, " ");
    return [{ part, what, why: `it failed: ${text.slice(0, MAX_MESSAGE_LENGTH)}`, hasFailed: true }];
  }
}

/**
 * Returns the names of the chosen parts, in the order of the table.
 * @throws Error if a name is unknown
 */
export function chosenParts(parts: Parts, named: readonly string[]): string[] {
  const all = Object.keys(parts);
  const unknown = named.filter((name) => !all.includes(name));
  if (unknown.length > 0) throw new Error(`Unknown part: ${unknown.join(", ")}. Available: ${all.join(", ")}`);
  return named.length > 0 ? all.filter((name) => named.includes(name)) : all;
}
