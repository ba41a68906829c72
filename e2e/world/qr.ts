import type { Locator } from "@playwright/test";
import jsQR from "jsqr";
import { PNG } from "pngjs";

/** Returns the text of a QR code as a phone's camera reads it from the screen; null if it is unreadable. */
export async function readQr(code: Locator): Promise<string | null> {
  const { data, width, height } = PNG.sync.read(await code.screenshot());
  return jsQR(new Uint8ClampedArray(data), width, height)?.data ?? null;
}
