/** @jsxImportSource hono/jsx */
import { pageHref } from "@/components/pay/href";
import type { Messages } from "@/components/pay/messages/en";
import { SLOT } from "@/components/pay/messages/isolation";
import type { PageContext } from "@/components/pay/page-context";
import { LookupLink, LookupPanel } from "@/components/pay/panels/lookup-panel";
import { Contract, Notes, Warnings } from "@/components/pay/panels/notes";
import { QrPanel } from "@/components/pay/panels/qr-panel";
import { Sandbox } from "@/components/pay/panels/sandbox";
import { SendFields } from "@/components/pay/panels/send-fields";
import { ExchangeGuide, SourcePicker } from "@/components/pay/panels/source-panel";
import { WalletLinks } from "@/components/pay/panels/wallet-links";
import { Countdown, MoreTime } from "@/components/pay/parts/countdown";
import { NetworkBadge } from "@/components/pay/parts/network-badge";
import { Filled, Rich } from "@/components/pay/parts/rich";
import type { CheckoutView } from "@/lib/domain/checkout/view";

/** Renders the button to pay with a wallet in this browser. The script shows the button if there is a wallet. */
function Wallets({ view, t }: { view: CheckoutView; t: Messages }) {
  const { family, name } = view.offer;
  return (
    <div class="wallets" id="wallets" data-family={family} data-offer={name} data-failed={t.walletUnloaded} hidden>
      <p />
      <button type="button" class="quiet" id="wallet-pay">
        {t.walletPay}
      </button>
    </div>
  );
}

/** Renders the amount, the address and the countdown. */
export function PayPanel({ view, page }: { view: CheckoutView; page: PageContext }) {
  const { t } = page;
  const isRemainder = view.state === "underpaid";
  const isExchange = page.from?.kind === "exchange";
  const isWallet = page.from?.kind === "wallet";
  const { arrived, due } = view.amounts;
  return (
    <div class="pay">
      <div class="bar">
        <p class="status">
          <span class="pulse" />
          {isRemainder ? t.underpaidStatus : t.waitingStatus}
        </p>
        <Countdown view={view} page={page} />
      </div>
      <div class="send">
        <h1>
          <Filled text={(isRemainder ? t.underpaidTitle : t.waitingTitle)(view.currency, SLOT)}>
            <NetworkBadge network={view.network} />
          </Filled>
        </h1>
        {isRemainder && (
          <p class="lead">
            <Rich text={t.underpaidLead(`${arrived} ${view.currency}`, `${due} ${view.currency}`)} />
          </p>
        )}
        <SourcePicker tradeId={view.tradeId} page={page} />
        <ExchangeGuide view={view} page={page} />
        {isWallet && <Wallets view={view} t={t} />}
        {!isExchange && <WalletLinks view={view} page={page} />}
        <SendFields view={view} page={page} />
        <Warnings view={view} page={page} />
        {!isWallet && !isExchange && <Wallets view={view} t={t} />}
      </div>
      <QrPanel view={view} page={page} />
      <div class="fine">
        <div class="links">
          {view.canSwitch && (
            <a id="switch" href={pageHref(view.tradeId, page, { choose: "1" })}>
              {t.switchLink}
            </a>
          )}
          <LookupLink view={view} page={page} />
          <MoreTime view={view} page={page} />
        </div>
        <LookupPanel view={view} page={page} />
        <Notes view={view} t={t} />
        <Contract view={view} page={page} />
        {page.isSandbox && <Sandbox target={`pay/${view.tradeId}`} t={t} />}
      </div>
    </div>
  );
}
