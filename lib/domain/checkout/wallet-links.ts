import { displayAddress } from "@/lib/domain/addresses/address";
import { type PaymentRequest, walletUri } from "@/lib/domain/checkout/payment-uri";
import { formatUnits } from "@/lib/domain/money";
import type { Family } from "@/lib/domain/networks";

/** A link that opens a wallet on the payer's phone. */
export interface WalletLink {
  /** The name of the wallet; null for any wallet that supports the payment request. */
  name: string | null;
  /** The URL; `PAGE` stands for the encoded URL of the payment page. */
  url: string;
}

/** The placeholder for the encoded URL of the payment page in a link. */
export const PAGE = "{page}";

/**
 * The coin types of Trust Wallet by network: SLIP-44 numbers, or the wallet's own for networks without one.
 * @see https://developer.trustwallet.com/developer/new-asset/universal_asset_id
 * @see https://github.com/trustwallet/wallet-core/blob/master/registry.json
 */
const TRUST_COINS: Readonly<Record<string, number>> = {
  ethereum: 60,
  bsc: 20_000_714,
  polygon: 966,
  arbitrum: 10_042_221,
  optimism: 10_000_070,
  base: 8_453,
  avalanche: 10_009_000,
  celo: 52_752,
  tron: 195,
  solana: 501,
};

/**
 * Returns the links that open a wallet on a phone with the payment, or with this page in the wallet's browser, where the page can request
 * the payment: first the network's payment request that any wallet can support, then links of single wallets.
 * @see https://docs.metamask.io/metamask-connect/evm/guides/metamask-exclusive/use-deeplinks
 * @see https://developer.trustwallet.com/developer/develop-for-trust/deeplinking
 * @see https://docs.phantom.com/phantom-deeplinks/other-methods/browse
 */
export function walletLinks(request: PaymentRequest): WalletLink[] {
  const uri = walletUri(request);
  const any = uri === null ? [] : [{ name: null, url: uri }];
  return [...any, ...ownLinks(request), ...trustLink(request)];
}

function ownLinks({ network, token, address: canonical, units }: PaymentRequest): WalletLink[] {
  const address = displayAddress(network.family, canonical);
  const links: Record<Family, WalletLink> = {
    evm: {
      name: "MetaMask",
      url: `https://link.metamask.io/send/${token.contract}@${network.chainId}/transfer?address=${address}&uint256=${units}`,
    },
    tron: { name: "TronLink", url: tronLink() },
    solana: { name: "Phantom", url: `https://phantom.app/ul/browse/${PAGE}?ref=${PAGE}` },
  };
  return [links[network.family]];
}

/** Returns the link that opens the page in TronLink's browser, with the parameters of tronwallet-adapter-tronlink 1.x. */
function tronLink(): string {
  const before = JSON.stringify({
    action: "open",
    protocol: "TronLink",
    version: "1.0",
    chainId: "0x2b6653dc",
    url: "",
  });
  const [start, end] = [before.slice(0, -2), before.slice(-2)].map(encodeURIComponent);
  return `tronlinkoutside://pull.activity?param=${start}${PAGE}${end}`;
}

function trustLink({ network, token, address, units }: PaymentRequest): WalletLink[] {
  const coin = TRUST_COINS[network.id];
  if (coin === undefined) return [];
  const amount = formatUnits(units, token.decimals);
  const url = `https://link.trustwallet.com/send?asset=c${coin}_t${token.contract}&address=${displayAddress(network.family, address)}&amount=${amount}`;
  return [{ name: "Trust Wallet", url }];
}

/** Returns the URL of a link for a payment page, or null if the link needs the page's URL and it is unknown. */
export function linkUrl({ url }: WalletLink, pageUrl: string | undefined): string | null {
  if (!url.includes(PAGE)) return url;
  return pageUrl === undefined ? null : url.replaceAll(PAGE, encodeURIComponent(pageUrl));
}
