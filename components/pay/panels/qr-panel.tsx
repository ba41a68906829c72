/** @jsxImportSource hono/jsx */
import type { Messages } from "@/components/pay/messages/en";
import type { PageContext } from "@/components/pay/page-context";
import { QrCode } from "@/components/pay/parts/qr-code";
import type { CheckoutView } from "@/lib/domain/checkout/view";

/**
 * Renders the QR codes. On a small screen they are collapsed, since a phone cannot scan itself. An exchange reads only the bare address.
 */
export function QrPanel({ view, page }: { view: CheckoutView; page: PageContext }) {
  const { t, from } = page;
  const wallet = from?.kind === "exchange" ? null : view.payloads.wallet;
  return (
    <div class="qr-box">
      <input type="checkbox" id="qr-show" class="spoken" />
      <label for="qr-show" class="quiet">
        {t.showQr}
      </label>
      <QrCodes view={view} wallet={wallet} t={t} />
    </div>
  );
}

interface QrCodesProps {
  view: CheckoutView;
  /** The payload with address and amount; null if the payer can use only the address. */
  wallet: string | null;
  t: Messages;
}

/** Renders the QR code of the bare address and, if the network has a standard for it, a second QR code with address and amount. */
function QrCodes({ view, wallet, t }: QrCodesProps) {
  const { address } = view.payloads;
  const amount = `${view.amounts.remaining} ${view.currency}`;
  return (
    <fieldset class="qr">
      <legend class="spoken">{t.qrLegend}</legend>
      {wallet !== null && (
        <>
          <input type="radio" name="qr" id="qr-address" checked={true} />
          <input type="radio" name="qr" id="qr-wallet" />
          <div class="modes">
            <label for="qr-address">{t.qrAddress}</label>
            <label for="qr-wallet">{t.qrWallet}</label>
          </div>
        </>
      )}
      <div class="mode mode-address">
        <QrCode payload={address} label={t.qrAddressAlt(view.address)} />
        <p>{t.qrAddressCaption}</p>
      </div>
      {wallet !== null && (
        <div class="mode mode-wallet">
          <QrCode payload={wallet} label={t.qrWalletAlt(amount, view.address)} isOfOrder />
          <p>{t.qrWalletCaption}</p>
        </div>
      )}
    </fieldset>
  );
}
