import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Fact } from "@/components/dashboard/frame/facts";
import { type PluginKeyLine, PluginKeyTable } from "@/components/dashboard/plugins/key-table";
import { decides, type OfferedIntegration, PATHS } from "@/components/dashboard/plugins/known-plugins";
import { WhatToType } from "@/components/dashboard/plugins/what-to-type";
import { Badge } from "@/components/ui/badge";
import { Card } from "@/components/ui/card";
import { Identifier } from "@/components/ui/identifier";
import { Notice } from "@/components/ui/notice";
import type { Expiration } from "@/lib/domain/integration-id";

/** How a shop is spoken to in a protocol. */
export interface PluginLine {
  publicId: string;
  isOn: boolean;
  takesKeyInUrl: boolean;
  expiration: Expiration;
  fiat: string | null;
  keys: readonly PluginKeyLine[];
}

interface SectionProps {
  integration: OfferedIntegration;
  /** Null: it was never switched on. */
  plugin: PluginLine | null;
  publicUrl: string;
  now: Date;
  /** What can be done with the protocol, and with a key. */
  actions: ReactNode;
  actionFor(key: PluginKeyLine): ReactNode;
}

/** A protocol, with all that its plugins need. */
export function PluginSection({ integration, plugin, publicUrl, now, actions, actionFor }: SectionProps) {
  const t = useTranslations("plugins");
  const state = useTranslations("states");
  const title = (
    <span className="inline-flex flex-wrap items-center gap-2">
      {state(`integration.${integration}`)}
      <Badge tone={plugin?.isOn ? "good" : "neutral"} hasDot={plugin?.isOn ?? false}>
        {plugin?.isOn ? t("on") : t("off")}
      </Badge>
    </span>
  );
  return (
    <Card isFlush title={title} hint={t(`about.${integration}`)} action={actions}>
      {plugin?.isOn ? (
        <InUse integration={integration} plugin={plugin} publicUrl={publicUrl} />
      ) : (
        <p className="border-line border-t px-4 py-3.5 text-ink-soft sm:px-5">{plugin ? t("isOff") : t("neverOn")}</p>
      )}
      {plugin && plugin.keys.length > 0 ? <PluginKeyTable keys={plugin.keys} now={now} actionFor={actionFor} /> : null}
    </Card>
  );
}

interface InUseProps {
  integration: OfferedIntegration;
  plugin: PluginLine;
  publicUrl: string;
}

function InUse({ integration, plugin, publicUrl }: InUseProps) {
  const t = useTranslations("plugins");
  const address = publicUrl + PATHS[integration];
  const material = { integration, url: address.replace(/\/$/, ""), publicId: plugin.publicId };
  return (
    <div className="grid gap-4 border-line border-t px-4 py-3.5 sm:px-5">
      {plugin.keys.length === 0 ? <Notice tone="bad">{t("noKey")}</Notice> : null}
      <dl className="grid gap-x-6 gap-y-3 sm:grid-cols-2 xl:grid-cols-[2fr_1fr_1fr_1fr]">
        <Fact name={t("address")}>
          <Identifier text={address} what={t("address")} />
        </Fact>
        <Fact name={t("publicId")}>
          <Identifier text={plugin.publicId} what={t("publicId")} />
        </Fact>
        {decides(integration, "fiat") ? <Fact name={t("prices")}>{plugin.fiat ?? t("tokens")}</Fact> : null}
        {decides(integration, "keyInUrl") ? (
          <Fact name={t("keyInUrl")}>{plugin.takesKeyInUrl ? t("keyInUrlYes") : t("keyInUrlNo")}</Fact>
        ) : null}
        {decides(integration, "expiration") ? (
          <Fact name={t("expiration")}>{t(`expirations.${plugin.expiration}`)}</Fact>
        ) : null}
      </dl>
      <details>
        <summary className="w-fit rounded font-medium text-ink-soft hover:text-ink">{t("whatToType")}</summary>
        <div className="mt-3 max-w-2xl">
          <WhatToType material={material} />
        </div>
      </details>
    </div>
  );
}
