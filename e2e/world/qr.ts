import type { Locator } from "@playwright/test";
import jsQR from "jsqr";
import { PNG } from "pngjs";

/** What a phone's camera reads from a QR code as it is painted on the screen; null when it reads nothing. */
export async function readQr(code: Locator): Promise<string | null> {
  const { data, width, height } = PNG.sync.read(await code.screenshot());
  return jsQR(new Uint8ClampedArray(data), width, height)?.data ?? null;
}
