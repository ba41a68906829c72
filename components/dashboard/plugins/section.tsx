import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Fact } from "@/components/dashboard/frame/facts";
import { type PluginKeyLine, PluginKeyTable } from "@/components/dashboard/plugins/key-table";
import { PluginFields } from "@/components/dashboard/plugins/what-to-type";
import { Badge } from "@/components/ui/badge";
import { Card } from "@/components/ui/card";
import { CodeBlock } from "@/components/ui/copy-button";
import { Identifier } from "@/components/ui/identifier";
import { Notice } from "@/components/ui/notice";
import type { IntegrationView } from "@/lib/domain/integrations/integration";
import type { SettingValues, SettingView } from "@/lib/domain/integrations/settings";

/** A shop's settings for an integration. */
export interface PluginLine {
  publicId: string;
  isOn: boolean;
  settings: SettingValues;
  fiat: string | null;
  keys: readonly PluginKeyLine[];
}

interface SectionProps {
  integration: IntegrationView;
  /** The settings; null if the integration was never enabled. */
  plugin: PluginLine | null;
  publicUrl: string;
  now: Date;
  /** The actions for the integration; `actionFor` renders the action for one key. */
  actions: ReactNode;
  actionFor(key: PluginKeyLine): ReactNode;
}

/** Renders an integration, with the values that its plugins need. */
export function PluginSection({ integration, plugin, publicUrl, now, actions, actionFor }: SectionProps) {
  const t = useTranslations("plugins");
  const title = (
    <span className="inline-flex flex-wrap items-center gap-2">
      {integration.name}
      <Badge tone={plugin?.isOn ? "good" : "neutral"} hasDot={plugin?.isOn ?? false}>
        {plugin?.isOn ? t("on") : t("off")}
      </Badge>
    </span>
  );
  return (
    <Card isFlush title={title} hint={integration.about} action={actions}>
      {plugin?.isOn ? (
        <InUse integration={integration} plugin={plugin} publicUrl={publicUrl} />
      ) : (
        <p className="border-line border-t px-4 py-3.5 text-ink-soft sm:px-5">{plugin ? t("isOff") : t("neverOn")}</p>
      )}
      {plugin && plugin.keys.length > 0 ? (
        <PluginKeyTable integration={integration} keys={plugin.keys} now={now} actionFor={actionFor} />
      ) : null}
    </Card>
  );
}

interface InUseProps {
  integration: IntegrationView;
  plugin: PluginLine;
  publicUrl: string;
}

function InUse({ integration, plugin, publicUrl }: InUseProps) {
  const t = useTranslations("plugins");
  const { path, terms } = integration;
  const address = publicUrl + path;
  const platformKey = plugin.keys.find((key) => key.platformKey)?.platformKey;
  const material = { integration, url: address.replace(/\/$/, ""), publicId: plugin.publicId, platformKey };
  return (
    <div className="grid gap-4 border-line border-t px-4 py-3.5 sm:px-5">
      {plugin.keys.length === 0 ? <Notice tone="bad">{t("noKey", { key: terms.key })}</Notice> : null}
      <dl className="grid gap-x-6 gap-y-3 sm:grid-cols-2 xl:grid-cols-[2fr_1fr_1fr_1fr]">
        <Fact name={terms.url}>
          <Identifier text={address} what={terms.url} />
        </Fact>
        <Fact name={terms.id}>
          <Identifier text={plugin.publicId} what={terms.id} />
        </Fact>
        {integration.hasPriceCurrency ? <Fact name={t("prices")}>{plugin.fiat ?? t("pricesInTokens")}</Fact> : null}
        {integration.settings.map((setting) => (
          <Fact key={setting.name} name={setting.label}>
            {valueText(setting, plugin.settings[setting.name])}
          </Fact>
        ))}
      </dl>
      <PlatformKeys keys={plugin.keys} name={integration.terms.platformKey ?? ""} />
      <details>
        <summary className="w-fit rounded font-medium text-ink-soft hover:text-ink">{t("whatToType")}</summary>
        <div className="mt-3 max-w-2xl">
          <PluginFields material={material} />
        </div>
      </details>
    </div>
  );
}

interface PlatformKeysProps {
  keys: readonly PluginKeyLine[];
  /** The plugins' name for the key. */
  name: string;
}

/** Renders the public keys with which the shop verifies signatures of this service. They are not secret. */
function PlatformKeys({ keys, name }: PlatformKeysProps) {
  const t = useTranslations("plugins");
  const shown = keys.flatMap(({ id, shown, platformKey }) => (platformKey ? [{ id, shown, platformKey }] : []));
  if (shown.length === 0) return null;
  return (
    <div className="grid max-w-2xl gap-2">
      {shown.map(({ id, shown: key, platformKey }) => {
        const label = shown.length > 1 ? t("platformKeyOf", { name, key }) : name;
        return (
          <div key={id} className="grid gap-1">
            <span className="text-[0.8125rem] text-ink-soft">{label}</span>
            <CodeBlock text={platformKey} what={label} />
          </div>
        );
      })}
      <p className="text-[0.8125rem] text-ink-soft">{t("platformKeyHint")}</p>
    </div>
  );
}

function valueText(setting: SettingView, value: boolean | string | undefined): string {
  if (setting.kind === "flag") return value === true ? setting.yes : setting.no;
  return setting.options.find((option) => option.value === value)?.text ?? "";
}
