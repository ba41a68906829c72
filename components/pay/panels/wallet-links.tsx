/** @jsxImportSource hono/jsx */
import type { PageContext } from "@/components/pay/page-context";
import type { CheckoutView } from "@/lib/domain/checkout/view";
import { linkUrl } from "@/lib/domain/checkout/wallet-links";

/**
 * Renders the links that open a wallet on a phone: a button for any wallet, or for the network's main one if the network has no payment
 * request that wallets share, and links of single wallets if the payer selected a wallet. The style shows them on small screens only.
 */
export function WalletLinks({ view, page }: { view: CheckoutView; page: PageContext }) {
  const { t, url, from } = page;
  const isSelected = from?.kind === "wallet";
  const [main, ...others] = view.walletLinks.flatMap((link) => {
    const href = linkUrl(link, url);
    return href === null ? [] : [{ name: link.name, href }];
  });
  if (!main) return null;
  return (
    <div class="apps">
      <a class="button" id="open-wallet" href={main.href}>
        {main.name === null ? t.walletOpen : `${t.walletOpen}: ${main.name}`}
      </a>
      {isSelected && others.length > 0 && (
        <p>
          {others.map(({ name, href }) => (
            <a key={name} class="link" href={href}>
              {name}
            </a>
          ))}
        </p>
      )}
    </div>
  );
}
