/** @jsxImportSource hono/jsx */
import { SLOT } from "@/components/pay/messages/isolation";
import type { PageContext } from "@/components/pay/page-context";
import { Icon } from "@/components/pay/parts/icon";
import { Filled } from "@/components/pay/parts/rich";
import { clockText, PayBefore } from "@/components/pay/parts/time";
import type { PageView } from "@/lib/domain/checkout/refresh";

/** The time left; without a script, the time until which to pay. The script announces the last minutes. */
export function Countdown({ view, page }: { view: PageView; page: PageContext }) {
  const { t, nowMs } = page;
  return (
    <p class="countdown" id="countdown" data-spoken-one={t.timeLeftSpoken(1)} data-spoken-five={t.timeLeftSpoken(5)}>
      <Icon name="clock" />
      <span class="scripted">
        <Filled text={t.timeLeft(SLOT)}>
          <span id="left" role="timer">
            {clockText(view.expiresAt, nowMs)}
          </span>
        </Filled>
      </span>
      <span class="unscripted">
        <PayBefore at={view.expiresAt} t={t} />
      </span>
    </p>
  );
}
