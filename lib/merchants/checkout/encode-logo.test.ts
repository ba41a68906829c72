import { deflateSync } from "node:zlib";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { inEnglish } from "@/lib/domain/problems/in-english";
import { problem } from "@/lib/domain/problems/problem";
import { encodeLogo } from "@/lib/merchants/checkout/encode-logo";
import { inSentences } from "@/testing/problem-sentences";

const plain = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 4, background: "#0b7a4b" } });
const noise = (side: number) =>
  sharp({
    create: {
      width: side,
      height: side,
      channels: 3,
      background: "#888",
      noise: { type: "gaussian", mean: 128, sigma: 60 },
    },
  });

async function encoded(bytes: Buffer): Promise<Buffer> {
  const answer = await encodeLogo(bytes);
  if ("problem" in answer) throw new Error(inEnglish(answer.problem));
  return answer.webp;
}

/** Returns a PNG whose header claims a size; a kilobyte of it would decompress to gigabytes. */
function bomb(width: number, height: number): Buffer {
  const crc = (bytes: Buffer) => {
    let value = ~0;
    for (const byte of bytes) {
      value ^= byte;
      for (let bit = 0; bit < 8; bit++) value = (value >>> 1) ^ (value & 1 ? 0xedb88320 : 0);
    }
    return ~value >>> 0;
  };
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const length = Buffer.alloc(4);
    const sum = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc(body));
    return Buffer.concat([length, body, sum]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 6, 0, 0, 0], 8);
  const parts = [
    chunk("IHDR", head),
    chunk("IDAT", deflateSync(Buffer.alloc(1 << 20))),
    chunk("IEND", Buffer.alloc(0)),
  ];
  return Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), ...parts]);
}

describe("the output", () => {
  test.each(["png", "jpeg", "webp", "gif"] as const)("of a %s is a small square WebP", async (format) => {
    const webp = await encoded(await plain(300, 120).toFormat(format).toBuffer());
    const { format: made, width, height } = await sharp(webp).metadata();
    expect({ made, width, height }).toEqual({ made: "webp", width: 64, height: 64 });
    expect(webp.length).toBeLessThanOrEqual(1_200);
  });

  test("has a transparent margin if it was not square", async () => {
    const webp = await encoded(await plain(300, 100).png().toBuffer());
    const { data } = await sharp(webp).raw().toBuffer({ resolveWithObject: true });
    expect([data[3], data[(32 * 64 + 32) * 4 + 3]]).toEqual([0, 255]);
  });

  test("stays small with any content", async () => {
    expect((await encoded(await noise(80).png().toBuffer())).length).toBeLessThanOrEqual(1_200);
  });

  test("is the first frame of an animation, and does not move", async () => {
    const frames = [await plain(40, 40).png().toBuffer(), await noise(40).png().toBuffer()];
    const gif = await sharp(frames, { join: { animated: true } })
      .gif()
      .toBuffer();
    const webp = await encoded(gif);
    expect((await sharp(webp).metadata()).pages ?? 1).toBe(1);
  });

  test("is upright and contains no metadata of its author", async () => {
    const photo = await plain(100, 50)
      .jpeg()
      .withMetadata({ orientation: 6 })
      .withExifMerge({ IFD0: { Copyright: "someone", Artist: "a name" } })
      .toBuffer();
    expect(photo.includes("someone")).toBe(true);
    const webp = await encoded(photo);
    expect(webp.includes("someone")).toBe(false);
    const { data } = await sharp(webp).raw().toBuffer({ resolveWithObject: true });
    expect([data[32 * 4 + 3], data[32 * 64 * 4 + 3]]).toEqual([255, 0]);
  });
});

describe("hostile images are refused with a message", () => {
  test.each([
    ["an SVG with a script", Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
    ["an SVG after a declaration", Buffer.from('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>')],
    ["a page", Buffer.from("<!doctype html><title>Not found</title>")],
    ["a PDF", Buffer.from("%PDF-1.7\n")],
    ["a TIFF", Buffer.from("II*\0\x08\0\0\0", "latin1")],
    ["nothing", Buffer.alloc(0)],
  ])("%s is none that is taken", async (_what, bytes) => {
    expect(inSentences(await encodeLogo(bytes))).toEqual({
      problem: "it is not a PNG, JPEG, WebP or GIF image; other formats, such as SVG, are not supported",
    });
  });

  test("one that unfolds to gigabytes is not unfolded", async () => {
    const bytes = bomb(50_000, 50_000);
    expect(bytes.length).toBeLessThan(4_096);
    const before = process.memoryUsage().rss;
    expect(await encodeLogo(bytes)).toHaveProperty("problem");
    expect(inSentences(await encodeLogo(bomb(4_097, 2)))).toEqual({
      problem: "it has 4097 × 2 pixels; the maximum is 4096 per side",
    });
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1_024 * 1_024);
  });

  test("one that breaks off, or is damaged in the middle", async () => {
    const damaged = problem("image_damaged");
    for (const format of ["png", "jpeg", "webp", "gif"] as const) {
      const whole = await noise(60).toFormat(format).toBuffer();
      expect(await encodeLogo(whole.subarray(0, whole.length / 2))).toEqual({ problem: damaged });
      expect(await encodeLogo(whole.subarray(0, 16))).toEqual({ problem: damaged });
    }
    expect(await encodeLogo(bomb(2_000, 2_000))).toEqual({ problem: damaged });
  });
});
