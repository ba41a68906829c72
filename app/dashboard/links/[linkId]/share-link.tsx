"use client";

import { useTranslations } from "next-intl";
import { QRCodeSVG } from "qrcode.react";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { CopyButton } from "@/components/ui/copy-button";
import { Identifier } from "@/components/ui/identifier";

interface ShareLinkProps {
  url: string;
  /** The amount, as the merchant sees it. */
  amount: string;
  /** The subject of the email. */
  subject: string;
}

/** Renders a payment link with its QR code, and the buttons that copy and send it. */
export function ShareLink({ url, amount, subject }: ShareLinkProps) {
  const t = useTranslations("linkPages");
  const mail = `mailto:?${new URLSearchParams({ subject, body: t("mailBody", { url }) })}`.replaceAll("+", "%20");
  return (
    <Card title={t("share")}>
      <div className="grid gap-4">
        <p className="font-semibold text-lg tabular-nums">{amount}</p>
        <div className="w-fit rounded-lg bg-white p-3">
          <QRCodeSVG value={url} size={176} marginSize={2} title={t("code")} />
        </div>
        <Identifier text={url} what={t("ofLink")} href={url} />
        <div className="flex flex-wrap gap-2">
          <CopyButton text={url} what={t("ofLink")} isWide />
          <Button asChild size="small">
            <a href={mail}>{t("mail")}</a>
          </Button>
        </div>
      </div>
    </Card>
  );
}
