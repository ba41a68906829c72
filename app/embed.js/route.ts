import { hash } from "node:crypto";
import { EMBED } from "@/components/pay/assets";
import { replyRoute, sharedScript } from "@/lib/http/reply";

const EMBEDDED = { script: EMBED, tag: hash("sha256", EMBED, "base64url").slice(0, 16) };

/** Returns the script that shops load to show payment pages in an overlay. */
export const GET = replyRoute<object>(async (call) => sharedScript(call, EMBEDDED));
