import { useTranslations } from "next-intl";
import { Card } from "@/components/ui/card";
import { Identifier } from "@/components/ui/identifier";

/** Renders the id of a merchant, which clients of the hosted service need. */
export function MerchantId({ id }: { id: string }) {
  const t = useTranslations("plugins.hosted");
  return (
    <Card title={t("merchantId")} hint={t("merchantIdHint")}>
      <Identifier text={id} what={t("merchantId")} />
    </Card>
  );
}
