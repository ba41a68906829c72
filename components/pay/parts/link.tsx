/** @jsxImportSource hono/jsx */

import type { PageContext } from "@/components/pay/page-context";
import { Icon } from "@/components/pay/parts/icon";

interface ExplorerLinkProps {
  url: string;
  explorer: string;
  page: PageContext;
}

/** A link to an explorer; opens beside the page, which must stay open. None in the sandbox, whose chains no explorer shows. */
export function ExplorerLink({ url, explorer, page: { t, isSandbox } }: ExplorerLinkProps) {
  if (isSandbox) return null;
  return (
    <a class="link" href={url} target="_blank" rel="noopener noreferrer">
      {t.viewOn(explorer)} <span class="spoken">{t.opensNewTab}</span>
      <Icon name="out" />
    </a>
  );
}
