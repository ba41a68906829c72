import { readFile } from "node:fs/promises";
import path from "node:path";
import * as z from "zod";
import { homeFolder } from "@/scripts/root";

/** The announcement of a running sandbox in `.data/sandbox.json`, for other programs. */
export const Announcement = z.object({
  base_url: z.string(),
  dashboard_url: z.string(),
  merchant: z.object({ email: z.string(), password: z.string() }),
  api_key: z.string(),
  api_secret: z.string(),
  database_url: z.string(),
  shop_url: z.string(),
  callbacks_url: z.string(),
  rates_control_url: z.string(),
  post_url: z.string(),
  webhook_url: z.string(),
  networks: z.record(
    z.string(),
    z.object({
      rpc_url: z.string(),
      control_url: z.string(),
      tokens: z.record(z.string(), z.object({ contract: z.string(), decimals: z.number() })),
      receiving_address: z.string(),
    }),
  ),
});
export type Announcement = z.infer<typeof Announcement>;

/** Returns the data folder of a sandbox. */
export function dataFolder(source: Readonly<Record<string, string | undefined>>): string {
  return path.resolve(homeFolder(source), source["STABLEGATE_DATA_DIR"]?.trim() || ".data");
}

/** Returns the announcement of the sandbox that runs on a data folder; null if none runs or it is not ready. */
export async function readAnnouncement(folder: string): Promise<Announcement | null> {
  const text = await readFile(path.join(folder, "sandbox.json"), "utf8").catch(() => null);
  return text === null ? null : Announcement.parse(JSON.parse(text));
}
