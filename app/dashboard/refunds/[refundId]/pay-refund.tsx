"use client";

import { useTranslations } from "next-intl";
import { QRCodeSVG } from "qrcode.react";
import type { ReactNode } from "react";
import { Card } from "@/components/ui/card";
import { Identifier } from "@/components/ui/identifier";

interface PayRefundProps {
  /** The amount as a decimal string, and its currency. */
  amount: string;
  currency: string;
  network: string;
  /** The address in display form. */
  address: string;
  /** The payload of the QR code for wallets; null if the network's family has no standard for it. */
  uri: string | null;
  /** The wallets of the browser, and the payments that were started. */
  children: ReactNode;
}

/** Renders what the merchant sends for an approved refund: network, address, amount, and a QR code. */
export function PayRefund({ amount, currency, network, address, uri, children }: PayRefundProps) {
  const t = useTranslations("refundPages");
  return (
    <Card title={t("pay")} hint={t("payHint", { currency, network })}>
      <div className="flex flex-wrap items-start gap-6">
        <div className="rounded-lg bg-white p-3">
          <QRCodeSVG value={uri ?? address} size={168} level="M" title={t("qr", { address })} />
        </div>
        <dl className="grid min-w-0 flex-1 basis-60 gap-3">
          <div>
            <dt className="text-ink-soft text-xs">{t("exactAmount")}</dt>
            <dd>
              <Identifier text={amount} what={t("exactAmount")} /> {currency}
            </dd>
          </div>
          <div>
            <dt className="text-ink-soft text-xs">{t("network")}</dt>
            <dd>{network}</dd>
          </div>
          <div>
            <dt className="text-ink-soft text-xs">{t("address")}</dt>
            <dd>
              <Identifier text={address} what={t("address")} />
            </dd>
          </div>
        </dl>
      </div>
      <div className="mt-4 grid grid-cols-1 gap-3">{children}</div>
    </Card>
  );
}
