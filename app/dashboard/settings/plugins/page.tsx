import { getLocale, getTranslations } from "next-intl/server";
import { getContext } from "@/app/context";
import { PluginActions } from "@/app/dashboard/settings/plugins/plugin-actions";
import { RequestedKeyActions } from "@/app/dashboard/settings/plugins/requested-key-actions";
import { RevokeKey } from "@/app/dashboard/settings/plugins/revoke-key";
import { SwitchOn } from "@/app/dashboard/settings/plugins/switch-on";
import { pageTitle } from "@/app/language/page-title";
import { requirePerson } from "@/app/session";
import { PageHead } from "@/components/dashboard/frame/page-head";
import { HostedPlugins, type RequestedKey } from "@/components/dashboard/plugins/hosted-plugins";
import { NoAddress } from "@/components/dashboard/plugins/no-address";
import { type PluginLine, PluginSection } from "@/components/dashboard/plugins/section";
import { listApiKeys } from "@/db/queries/merchants/api-keys";
import { listAddressedNetworks } from "@/db/queries/merchants/networks";
import { listPlugins } from "@/db/queries/plugins/plugins";
import { findLastFiat } from "@/db/queries/rates/rates";
import { type IntegrationView, viewIntegration } from "@/lib/domain/integrations/integration";
import { settingValues } from "@/lib/domain/integrations/settings";
import { mayChange } from "@/lib/domain/keys/role";
import { listPlatformKeys } from "@/lib/plugins/platform-keys";

export const generateMetadata = pageTitle("plugins");

export default async function PluginsPage() {
  const { merchantId, role } = await requirePerson();
  const t = await getTranslations("plugins");
  const language = await getLocale();
  const { env, pool, integrations, openPluginKey, ...context } = getContext();
  const now = context.now();
  const plugins = await listPlugins(pool.db, merchantId, now);
  const platformKeys = await listPlatformKeys({ pool, openPluginKey, integrations }, merchantId, now);
  const isPayable = (await listAddressedNetworks(pool.db, merchantId, now)).length > 0;
  const shown = {
    publicUrl: env.publicUrl,
    now,
    canChange: mayChange(role),
    isPayable,
    lastFiat: await findLastFiat(pool.db, merchantId),
  };
  return (
    <>
      <PageHead title={t("title")} hint={t("hint")} />
      <div className="grid gap-4">
        {isPayable ? null : <NoAddress isAnyOn={plugins.some(({ isOn }) => isOn)} />}
        <HostedPlugins
          merchantId={merchantId}
          publicUrl={env.publicUrl}
          requested={await listRequestedKeys(merchantId)}
          now={now}
          actionsFor={({ id, name }) => (shown.canChange ? <RequestedKeyActions apiKey={{ id, name }} /> : null)}
        />
        {[...integrations.values()].map((installed) => {
          const found = plugins.find((one) => one.integration === installed.id);
          const plugin = found
            ? {
                ...found,
                settings: settingValues(installed.description.settings, found.settings),
                keys: found.keys.map((key) => ({ ...key, platformKey: platformKeys.get(key.id) })),
              }
            : null;
          return (
            <Section
              key={installed.id}
              integration={viewIntegration(installed, language)}
              plugin={plugin}
              shown={shown}
            />
          );
        })}
      </div>
    </>
  );
}

/** Returns the live keys that a plugin of the hosted service asked to use, but that were not made for one. */
async function listRequestedKeys(merchantId: string): Promise<RequestedKey[]> {
  const { pool, now } = getContext();
  const keys = await listApiKeys(pool.db, merchantId, now());
  return keys.flatMap(({ isLive, pluginRequestedAt, ...key }) =>
    isLive && pluginRequestedAt ? [{ ...key, pluginRequestedAt }] : [],
  );
}

interface SectionProps {
  integration: IntegrationView;
  plugin: PluginLine | null;
  shown: Omit<ActionsProps, "integration" | "plugin"> & { now: Date; canChange: boolean };
}

function Section({ integration, plugin, shown: { now, canChange, ...shown } }: SectionProps) {
  return (
    <PluginSection
      integration={integration}
      plugin={plugin}
      publicUrl={shown.publicUrl}
      now={now}
      actions={canChange ? <Actions integration={integration} plugin={plugin} {...shown} /> : null}
      actionFor={({ id, shown: key }) =>
        canChange ? <RevokeKey integration={integration} id={id} shown={key} /> : null
      }
    />
  );
}

interface ActionsProps {
  integration: IntegrationView;
  plugin: PluginLine | null;
  publicUrl: string;
  /** False if the shop has no active receiving address, so that nothing can be enabled. */
  isPayable: boolean;
  /** The currency in which the shop last used prices; null if it never did. */
  lastFiat: string | null;
}

function Actions({ integration, plugin, publicUrl, isPayable, lastFiat }: ActionsProps) {
  const url = (publicUrl + integration.path).replace(/\/$/, "");
  if (!plugin?.isOn)
    return (
      <SwitchOn
        integration={integration}
        url={url}
        isKnown={(plugin?.keys.length ?? 0) > 0}
        isDisabled={!isPayable}
        fiat={plugin ? plugin.fiat : (lastFiat ?? undefined)}
      />
    );
  const { settings, fiat } = plugin;
  return <PluginActions protocol={{ integration, url, settings, fiat }} />;
}
