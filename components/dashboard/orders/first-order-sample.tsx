import { useTranslations } from "next-intl";
import { CodeBlock } from "@/components/ui/copy-button";
import { getNetwork, isOffered } from "@/lib/domain/networks";

/** Renders a terminal command that creates an order on the first of these networks that accepts orders. Only the API key is missing. */
export function FirstOrderSample({ publicUrl, networks }: { publicUrl: string; networks: Iterable<string> }) {
  const t = useTranslations("orders");
  const { id: network, tokens } = [...networks].map(getNetwork).find(isOffered) ?? getNetwork("ethereum");
  const currency = tokens.find(({ isOff }) => !isOff)?.currency ?? "USDT";
  const body = JSON.stringify({ mch_order_id: "test-1", amount: 10, currency, network });
  const text = [
    `curl ${publicUrl}/api/v1/pay/order/add \\`,
    '  -H "X-API-Key: YOUR_API_KEY" \\',
    '  -H "Content-Type: application/json" \\',
    `  -d '${body}'`,
  ].join("\n");
  return <CodeBlock text={text} what={t("command")} />;
}
