import { type Problem, problem } from "@/lib/domain/problems/problem";

/** A color as "#1a2b3c", in lower case. */
export type Hex = string;

/** The shades of the accent color on the page. Each theme has a fill that is also readable as text, and a color for text on that fill. */
export interface Accent {
  light: Shade;
  dark: Shade;
}

export interface Shade {
  fill: Hex;
  /** The fill on hover. */
  hover: Hex;
  /** The color of text on either fill. */
  text: Hex;
}

/** The minimum contrast ratio for text of any size. Source: WCAG 2.2, success criterion 1.4.3 "Contrast (Minimum)". */
export const MIN_CONTRAST = 4.5;
const WHITE = "#ffffff";
const INK = "#0d1321";
/** The backgrounds of style.css on which each theme's text has the least contrast. */
const LIGHT_PAGE = "#f4f5f7";
const DARK_PAGE = "#1a2029";
const HOVER_STEP = 0.12;
const STEPS = 200;

/** Parses "#1A2B3C", "1a2b3c" or "#abc". Returns null if the text is not a color. */
export function parseHex(text: string): Hex | null {
  const [, digits] = /^#?([0-9a-f]{6}|[0-9a-f]{3})$/i.exec(text.trim()) ?? [];
  if (digits === undefined) return null;
  const full = digits.length === 3 ? [...digits].map((digit) => digit + digit).join("") : digits;
  return `#${full.toLowerCase()}`;
}

/** Returns the contrast ratio of two colors by WCAG 2.2 ("contrast ratio", "relative luminance"), from 1 to 21. */
export function contrast(one: Hex, other: Hex): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** Returns the shades of an accent color, or a problem that describes a valid color. */
export function accentOf(colour: Hex): Accent | { problem: Problem } {
  const ratio = contrast(colour, LIGHT_PAGE);
  if (ratio < MIN_CONTRAST) {
    const right = readable(colour, INK, LIGHT_PAGE);
    const shown = Math.floor(ratio * 10) / 10;
    return {
      problem: problem("colour_too_pale", { given: colour, contrast: shown, min: MIN_CONTRAST, better: right }),
    };
  }
  const dark = readable(colour, WHITE, DARK_PAGE);
  return {
    light: { fill: colour, hover: mix(colour, INK, HOVER_STEP), text: WHITE },
    dark: { fill: dark, hover: mix(dark, WHITE, HOVER_STEP), text: INK },
  };
}

/** Returns the readable shade on a background that is nearest to a color, mixed toward a second color. */
function readable(colour: Hex, towards: Hex, background: Hex): Hex {
  for (let step = 0; step < STEPS; step++) {
    const shade = mix(colour, towards, step / STEPS);
    if (contrast(shade, background) >= MIN_CONTRAST) return shade;
  }
  return towards;
}

function mix(colour: Hex, other: Hex, share: number): Hex {
  const from = channels(colour);
  const to = channels(other);
  const mixed = from.map((value, index) => Math.round(value + ((to[index] ?? value) - value) * share));
  return `#${mixed.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
}

function luminance(colour: Hex): number {
  const [red = 0, green = 0, blue = 0] = channels(colour).map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function channels(colour: Hex): number[] {
  return [1, 3, 5].map((start) => Number.parseInt(colour.slice(start, start + 2), 16));
}
