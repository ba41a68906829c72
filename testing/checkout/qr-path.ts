import jsQR from "jsqr";

const SCALE = 4;

/** Draws the lines of a QR code of `size` modules with four pixels per module, and returns its content; undefined if it is unreadable. */
export function readQrPath(size: number, path: string): string | undefined {
  const width = size * SCALE;
  const pixels = new Uint8ClampedArray(width * width * 4).fill(255);
  let x = 0;
  let y = 0;
  for (const [, move, by, down, length] of path.matchAll(/([Mm])(\d+) (\d+)(?:\.5)?h(\d+)/g)) {
    x = move === "M" ? Number(by) : x + Number(by);
    y = move === "M" ? Number(down) : y;
    for (let row = y * SCALE; row < (y + 1) * SCALE; row++)
      pixels.fill(0, (row * width + x * SCALE) * 4, (row * width + (x + Number(length)) * SCALE) * 4);
    x += Number(length);
  }
  for (let index = 3; index < pixels.length; index += 4) pixels[index] = 255;
  return jsQR(pixels, width, width)?.data;
}
