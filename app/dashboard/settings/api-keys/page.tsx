import { KeyRound } from "lucide-react";
import { getTranslations } from "next-intl/server";
import { getContext } from "@/app/context";
import { GenerateKey } from "@/app/dashboard/settings/api-keys/generate-key";
import { KeyActions } from "@/app/dashboard/settings/api-keys/key-actions";
import { pageTitle } from "@/app/language/page-title";
import { requirePerson } from "@/app/session";
import { type KeyRow, KeyTable } from "@/components/dashboard/api-keys/table";
import { PageHead } from "@/components/dashboard/frame/page-head";
import { MerchantId } from "@/components/dashboard/plugins/merchant-id";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { listApiKeys } from "@/db/queries/merchants/api-keys";
import { mayChange } from "@/lib/domain/keys/role";

export const generateMetadata = pageTitle("apiKeys");

export default async function ApiKeysPage() {
  const person = await requirePerson();
  const t = await getTranslations("apiKeys");
  const { pool, ...context } = getContext();
  const now = context.now();
  const keys = await listApiKeys(pool.db, person.merchantId, now);
  const canChange = mayChange(person.role);
  const actionsFor = ({ id, name, rotatedToId, isDefault, optIns, ...key }: KeyRow) => {
    const { mustSign, scopes, cidrs, callbackFormat, isForPlugin, isForAgents } = key;
    const rules = { mustSign, scopes, cidrs, callbackFormat, isForPlugin, isForAgents };
    const isRotated = rotatedToId !== null;
    return canChange ? <KeyActions apiKey={{ id, name, isRotated, isDefault, rules, optIns }} /> : null;
  };
  return (
    <>
      <PageHead
        title={t("title")}
        hint={t.rich("hint", {
          docs: (text) => (
            <a href="/docs" className="font-medium text-accent hover:underline">
              {text}
            </a>
          ),
        })}
        action={canChange ? <GenerateKey /> : null}
      />
      <Card isFlush>
        {keys.length > 0 ? (
          <KeyTable keys={keys} now={now} actionsFor={actionsFor} />
        ) : (
          <EmptyState Icon={KeyRound} title={t("empty")}>
            <p>{t("emptyHint")}</p>
          </EmptyState>
        )}
      </Card>
      <div className="mt-4">
        <MerchantId id={person.merchantId} />
      </div>
    </>
  );
}
