import { ShieldX } from "lucide-react";
import { notFound } from "next/navigation";
import { useTranslations } from "next-intl";
import { getLocale, getTranslations } from "next-intl/server";
import { getContext } from "@/app/context";
import { ConnectForm } from "@/app/dashboard/settings/plugins/connect/connect-form";
import { pageTitle } from "@/app/language/page-title";
import { requirePerson } from "@/app/session";
import { PageHead } from "@/components/dashboard/frame/page-head";
import { ConnectionFacts } from "@/components/dashboard/plugins/connection-facts";
import { NoAddress } from "@/components/dashboard/plugins/no-address";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { Notice } from "@/components/ui/notice";
import { listAddressedNetworks } from "@/db/queries/merchants/networks";
import { parentOrigin } from "@/lib/domain/checkout/brand";
import { findConnecting, viewIntegration } from "@/lib/domain/integrations/integration";
import { inLanguage } from "@/lib/domain/integrations/texts";
import { mayChange } from "@/lib/domain/keys/role";

export const generateMetadata = pageTitle("connect");

type Query = Promise<Record<string, string | string[] | undefined>>;

/** Renders the page on which a user allows an application to receive a token for their shop. */
export default async function ConnectPage({ searchParams }: { searchParams: Query }) {
  const person = await requirePerson();
  const t = await getTranslations("plugins.connect");
  const language = await getLocale();
  const { env, integrations, pool, now } = getContext();
  const { publicUrl } = env;
  const connecting = findConnecting(integrations);
  if (!connecting) notFound();
  const { integration, connection } = connecting;
  const query = new URLSearchParams(
    Object.entries(await searchParams).flatMap(([name, values]) => [values ?? []].flat().map((value) => [name, value])),
  );
  const asked = connection.read(query, new URL(publicUrl).origin);
  if ("why" in asked)
    return <Refused reason={t(`refused.${asked.why}`, { what: asked.what, key: integration.description.terms.key })} />;
  const { application, redirect, isUnprotected, permissions, withheld } = asked;
  const host = redirect?.host ?? null;
  const view = viewIntegration(integration, language);
  const { key } = view.terms;
  const isPayable = (await listAddressedNetworks(pool.db, person.merchantId, now())).length > 0;
  const texts = inLanguage(connection.permissions, language);
  const granted = permissions.map((name) => texts[name] ?? name);
  const mayEmbed = redirect !== null && parentOrigin(redirect.origin) !== null;
  return (
    <div className="max-w-2xl">
      <PageHead title={t("title", { application: application || t("nameless") })} hint={t("hint", { key })} />
      <Card>
        <div className="grid gap-4">
          <ConnectionFacts
            shop={person.merchantName}
            protocol={view.name}
            keyTerm={key}
            host={host}
            permissions={mayEmbed ? [...granted, t("mayEmbed")] : granted}
            hasWithheld={withheld.length > 0}
          />
          {isUnprotected ? <Notice tone="warn">{t("unprotected", { host: host ?? "", key })}</Notice> : null}
          {!mayChange(person.role) ? (
            <Notice tone="info">{t("askOther")}</Notice>
          ) : isPayable ? (
            <ConnectForm
              query={query.toString()}
              host={host}
              integration={view}
              url={(publicUrl + view.path).replace(/\/$/, "")}
              connectionPath={connection.connectionPath}
            />
          ) : (
            <NoAddress isConnecting />
          )}
        </div>
      </Card>
    </div>
  );
}

/** Renders the reason why no key can be granted for a request. */
function Refused({ reason }: { reason: string }) {
  const t = useTranslations("plugins.connect");
  return (
    <Card>
      <EmptyState Icon={ShieldX} title={t("refusedTitle")}>
        <p className="wrap-anywhere">{reason}</p>
        <p>{t("nothingGiven")}</p>
      </EmptyState>
    </Card>
  );
}
