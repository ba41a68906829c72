/** @jsxImportSource hono/jsx */
import type { Messages } from "@/components/pay/messages/en";

/** The button of the sandbox: pays with play money. Works without a script. @param target what it pays: "pay/{id}" of an order */
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
