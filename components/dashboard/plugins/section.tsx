import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Fact } from "@/components/dashboard/frame/facts";
import { type PluginKeyLine, PluginKeyTable } from "@/components/dashboard/plugins/key-table";
import { decides, type OfferedDialect, PATHS } from "@/components/dashboard/plugins/known-plugins";
import { WhatToType } from "@/components/dashboard/plugins/what-to-type";
import { Badge } from "@/components/ui/badge";
import { Card } from "@/components/ui/card";
import { Identifier } from "@/components/ui/identifier";
import { Notice } from "@/components/ui/notice";
import type { Expiration } from "@/lib/domain/dialect";

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
  dialect: OfferedDialect;
  /** Null: it was never switched on. */
  plugin: PluginLine | null;
  publicUrl: string;
  now: Date;
  /** What can be done with the protocol, and with a key. */
  actions: ReactNode;
  actionFor(key: PluginKeyLine): ReactNode;
}

/** A protocol, with all that its plugins need. */
export function PluginSection({ dialect, plugin, publicUrl, now, actions, actionFor }: SectionProps) {
  const t = useTranslations("plugins");
  const state = useTranslations("states");
  const title = (
    <span className="inline-flex flex-wrap items-center gap-2">
      {state(`dialect.${dialect}`)}
      <Badge tone={plugin?.isOn ? "good" : "neutral"} hasDot={plugin?.isOn ?? false}>
        {plugin?.isOn ? t("on") : t("off")}
      </Badge>
    </span>
  );
  return (
    <Card isFlush title={title} hint={t(`about.${dialect}`)} action={actions}>
      {plugin?.isOn ? (
        <InUse dialect={dialect} plugin={plugin} publicUrl={publicUrl} />
      ) : (
        <p className="border-line border-t px-4 py-3.5 text-ink-soft sm:px-5">{plugin ? t("isOff") : t("neverOn")}</p>
      )}
      {plugin && plugin.keys.length > 0 ? <PluginKeyTable keys={plugin.keys} now={now} actionFor={actionFor} /> : null}
    </Card>
  );
}

interface InUseProps {
  dialect: OfferedDialect;
  plugin: PluginLine;
  publicUrl: string;
}

function InUse({ dialect, plugin, publicUrl }: InUseProps) {
  const t = useTranslations("plugins");
  const address = publicUrl + PATHS[dialect];
  const material = { dialect, url: address.replace(/\/$/, ""), publicId: plugin.publicId };
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
        {decides(dialect, "fiat") ? <Fact name={t("prices")}>{plugin.fiat ?? t("tokens")}</Fact> : null}
        {decides(dialect, "keyInUrl") ? (
          <Fact name={t("keyInUrl")}>{plugin.takesKeyInUrl ? t("keyInUrlYes") : t("keyInUrlNo")}</Fact>
        ) : null}
        {decides(dialect, "expiration") ? (
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
