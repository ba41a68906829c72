import { CodeBlock } from "@/components/ui/code-block";

/** A command that creates an order, ready for a terminal but for the key. */
export function FirstOrderSample({ publicUrl, network }: { publicUrl: string; network: string }) {
  const body = JSON.stringify({ mch_order_id: "test-1", amount: 10, currency: "USDT", network });
  const text = [
    `curl ${publicUrl}/api/v1/pay/sdk/order/add \\`,
    '  -H "X-API-Key: YOUR_API_KEY" \\',
    '  -H "Content-Type: application/json" \\',
    `  -d '${body}'`,
  ].join("\n");
  return <CodeBlock text={text} what="command" />;
}
