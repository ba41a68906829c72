import type { Plugin } from "@/lib/plugins/plugin-caller";

/** The meaning of `expiration_time` for a plugin: the remaining seconds, or the expiry as a Unix time. */
export const EXPIRATIONS = ["remaining", "unix"] as const;
export type Expiration = (typeof EXPIRATIONS)[number];

/** Returns the shop's setting for the meaning of `expiration_time`. `plugin` is null if the shop has none. */
export function expirationOf(plugin: Pick<Plugin, "settings"> | null): Expiration {
  return plugin?.settings["expiration"] === "unix" ? "unix" : "remaining";
}
