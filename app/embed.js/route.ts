import { hash } from "node:crypto";
import { EMBED } from "@/components/pay/assets";
import { isKnown, replyRoute } from "@/lib/http/reply";

const TAG = hash("sha256", EMBED, "base64url").slice(0, 16);

/** Of an hour, so that every shop has a new one soon. It is read by pages of any origin, and tells nothing. */
const HEADERS = {
  "content-type": "text/javascript; charset=utf-8",
  "cache-control": "public, max-age=3600",
  "access-control-allow-origin": "*",
  "cross-origin-resource-policy": "cross-origin",
  "x-content-type-options": "nosniff",
  etag: `"${TAG}"`,
};

/** What shops load to show payment pages over their own. */
export const GET = replyRoute<object>(async (call) =>
  isKnown(call, TAG) ? { status: 304, headers: HEADERS, body: "" } : { status: 200, headers: HEADERS, body: EMBED },
);
