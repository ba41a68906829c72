/** @jsxImportSource hono/jsx */
import type { Messages } from "@/components/pay/messages/en";

/**
 * Renders the sandbox button, which pays with test money. It works without a script.
 * @param target the target to pay: "pay/{id}" for an order
 */
export function Sandbox({ target, t }: { target: string; t: Messages }) {
  return (
    <form
      class="sandbox"
      method="post"
      action={`/sandbox/${target}?lang=${t.lang}`}
      data-busy={t.sandboxPaying}
      data-done={t.sandboxSent}
      data-failed={t.sandboxFailed}
    >
      <p>{t.sandboxNote}</p>
      <button type="submit" id="sandbox-pay" data-testid="sandbox-pay">
        {t.sandboxPay}
      </button>
    </form>
  );
}
