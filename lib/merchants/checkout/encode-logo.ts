import sharp from "sharp";
import { type Problem, problem } from "@/lib/domain/problems/problem";

/** A stored logo, or the problem of the image. */
export type EncodedLogo = { webp: Buffer } | { problem: Problem };

/** The limits of an image before it is decoded. */
export const LOGO_LIMITS = { bytes: 2 * 1_024 * 1_024, side: 4_096, seconds: 10 };

/**
 * The maximum size of a logo in bytes. The logo is part of the page, and the page's first round trip has little space left. Flat logos
 * need half of this size.
 */
const MAX_BYTES = 1_200;

/** The encodings, tried in this order until one is small enough. The page shows the logo at 32 CSS pixels. */
const TRIES = [
  { side: 64, quality: null },
  { side: 64, quality: 85 },
  { side: 64, quality: 65 },
  { side: 48, quality: 65 },
  { side: 48, quality: 40 },
  { side: 32, quality: 40 },
  { side: 32, quality: 5 },
];

/** The first bytes of the accepted formats, by their specifications; no other image reaches a decoder. */
const FORMATS: readonly ((bytes: Buffer) => boolean)[] = [
  (bytes) => bytes.subarray(0, 8).equals(Buffer.from("\x89PNG\r\n\x1a\n", "latin1")),
  (bytes) => bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff])),
  (bytes) => /^GIF8[79]a/.test(bytes.toString("latin1", 0, 6)),
  (bytes) => /^RIFF.{4}WEBP/s.test(bytes.toString("latin1", 0, 12)),
];

/**
 * Converts an image from an untrusted server to a small square WebP: the first frame, upright, on a transparent background, without
 * metadata. Never throws.
 */
export async function encodeLogo(bytes: Buffer): Promise<EncodedLogo> {
  if (!FORMATS.some((isOf) => isOf(bytes))) return { problem: problem("image_type_unsupported") };
  const image = sharp(bytes, { limitInputPixels: LOGO_LIMITS.side ** 2, failOn: "error", animated: false });
  try {
    const { width, height } = await image.metadata();
    if (Math.max(width, height) > LOGO_LIMITS.side)
      return { problem: problem("image_too_large", { width, height, max: LOGO_LIMITS.side }) };
    const square = { width: 64, height: 64, fit: "contain" as const, background: "#0000" };
    const png = await image.timeout({ seconds: LOGO_LIMITS.seconds }).autoOrient().resize(square).png().toBuffer();
    return await smallEnough(png);
  } catch {
    return { problem: problem("image_damaged") };
  }
}

async function smallEnough(png: Buffer): Promise<EncodedLogo> {
  for (const { side, quality } of TRIES) {
    const how = quality === null ? { lossless: true } : { quality, smartSubsample: true };
    const webp = await sharp(png)
      .resize(side, side)
      .webp({ ...how, effort: 6 })
      .toBuffer();
    if (webp.length <= MAX_BYTES) return { webp };
  }
  return { problem: problem("image_too_detailed") };
}
