/** @jsxImportSource hono/jsx */

import type { PageContext } from "@/components/pay/page-context";
import { Icon } from "@/components/pay/parts/icon";

interface ExplorerLinkProps {
  url: string;
  explorer: string;
  page: PageContext;
}

/**
 * Renders a link to an explorer, which opens in a new tab because the page must stay open. Renders nothing in the sandbox, whose chains
 * have no explorer.
 */
export function ExplorerLink({ url, explorer, page: { t, isSandbox } }: ExplorerLinkProps) {
  if (isSandbox) return null;
  return (
    <a class="link" href={url} target="_blank" rel="noopener noreferrer">
      {t.viewOn(explorer)} <span class="spoken">{t.opensNewTab}</span>
      <Icon name="out" />
    </a>
  );
}
