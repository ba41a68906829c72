import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Fact } from "@/components/dashboard/frame/facts";
import { Card } from "@/components/ui/card";
import { Identifier } from "@/components/ui/identifier";
import { Notice } from "@/components/ui/notice";
import { Time } from "@/components/ui/time";

/** An API key that a plugin asked to use, although it was not made for a plugin. */
export interface RequestedKey {
  id: string;
  name: string;
  prefix: string;
  pluginRequestedAt: Date;
}

interface HostedPluginsProps {
  merchantId: string;
  publicUrl: string;
  requested: readonly RequestedKey[];
  now: Date;
  /** Renders the actions on a request. */
  actionsFor(key: RequestedKey): ReactNode;
}

/** Renders the values that plugins of the hosted service need, and their requests for keys that were not made for a plugin. */
export function HostedPlugins({ merchantId, publicUrl, requested, now, actionsFor }: HostedPluginsProps) {
  const t = useTranslations("plugins.hosted");
  const time = (at: Date) => <Time at={at.toISOString()} now={now.toISOString()} />;
  return (
    <Card title={t("title")} hint={t("hint")}>
      <div className="grid gap-4">
        {requested.map((key) => (
          <Notice key={key.id} tone="warn" action={actionsFor(key)}>
            {t.rich("requested", { key: `${key.prefix}…`, name: key.name, time: () => time(key.pluginRequestedAt) })}
          </Notice>
        ))}
        <dl className="grid gap-x-6 gap-y-3 sm:grid-cols-2">
          <Fact name={t("address")}>
            <Identifier text={publicUrl} what={t("address")} />
          </Fact>
          <Fact name={t("merchantId")}>
            <Identifier text={merchantId} what={t("merchantId")} />
          </Fact>
        </dl>
      </div>
    </Card>
  );
}
