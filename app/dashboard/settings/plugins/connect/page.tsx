import { ShieldX } from "lucide-react";
import { getTranslations } from "next-intl/server";
import { getContext } from "@/app/context";
import { ConnectForm } from "@/app/dashboard/settings/plugins/connect/connect-form";
import { pageTitle } from "@/app/language/page-title";
import { requirePerson } from "@/app/session";
import { PageHead } from "@/components/dashboard/frame/page-head";
import { Asked } from "@/components/dashboard/plugins/asked";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { Notice } from "@/components/ui/notice";
import { readConnection } from "@/lib/domain/integrations/connection";
import { mayChange } from "@/lib/domain/keys/role";

export const generateMetadata = pageTitle("connect");

type Query = Promise<Record<string, string | string[] | undefined>>;

/** Asks a person whether an application may have a token of their shop. */
export default async function ConnectPage({ searchParams }: { searchParams: Query }) {
  const person = await requirePerson();
  const t = await getTranslations("plugins.connect");
  const { publicUrl } = getContext().env;
  const query = new URLSearchParams(
    Object.entries(await searchParams).flatMap(([name, values]) => [values ?? []].flat().map((value) => [name, value])),
  );
  const asked = readConnection(query, new URL(publicUrl).origin);
  if ("why" in asked)
    return (
      <Card>
        <EmptyState Icon={ShieldX} title={t("refusedTitle")}>
          <p className="wrap-anywhere">{t(`refused.${asked.why}`, { what: asked.what })}</p>
          <p>{t("nothingGiven")}</p>
        </EmptyState>
      </Card>
    );
  const { application, redirect, isUnprotected, permissions, withheld } = asked;
  const host = redirect?.host ?? null;
  return (
    <div className="max-w-2xl">
      <PageHead title={t("title", { application: application || t("nameless") })} hint={t("hint")} />
      <Card>
        <div className="grid gap-4">
          <Asked shop={person.merchantName} host={host} permissions={permissions} hasWithheld={withheld.length > 0} />
          {isUnprotected ? <Notice tone="warn">{t("unprotected", { host: host ?? "" })}</Notice> : null}
          {mayChange(person.role) ? (
            <ConnectForm query={query.toString()} host={host} url={`${publicUrl}/greenfield`} />
          ) : (
            <Notice tone="info">{t("askOther")}</Notice>
          )}
        </div>
      </Card>
    </div>
  );
}
