/** @jsxImportSource hono/jsx */

import type { Messages } from "@/components/pay/messages/en";
import { Icon } from "@/components/pay/parts/icon";

/** A link to an explorer; opens beside the page, which must stay open. */
export function ExplorerLink({ url, explorer, t }: { url: string; explorer: string; t: Messages }) {
  return (
    <a class="link" href={url} target="_blank" rel="noopener noreferrer">
      {t.viewOn(explorer)} <span class="spoken">{t.opensNewTab}</span>
      <Icon name="out" />
    </a>
  );
}
