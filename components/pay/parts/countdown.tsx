/** @jsxImportSource hono/jsx */
import { pageHref } from "@/components/pay/href";
import { SLOT } from "@/components/pay/messages/isolation";
import type { PageContext } from "@/components/pay/page-context";
import { Icon } from "@/components/pay/parts/icon";
import { Filled } from "@/components/pay/parts/rich";
import { PayBefore } from "@/components/pay/parts/time";
import type { PageView } from "@/lib/domain/checkout/refresh";

/** The placeholder, as wide as the digits that the script inserts in its place. */
const UNKNOWN = "\u2007\u2007:\u2007\u2007";

/**
 * Renders the time left, which the script fills in. Without a script, it renders the payment deadline. The script announces the last
 * minutes.
 */
export function Countdown({ view, page }: { view: PageView; page: PageContext }) {
  const { t } = page;
  return (
    <p class="countdown" id="countdown" data-spoken-one={t.timeLeftSpoken(1)} data-spoken-five={t.timeLeftSpoken(5)}>
      <Icon name="clock" />
      <span class="scripted">
        <Filled text={t.timeLeft(SLOT)}>
          <span id="left" role="timer">
            {UNKNOWN}
          </span>
        </Filled>
      </span>
      <span class="unscripted">
        <PayBefore at={view.expiresAt} t={t} />
      </span>
    </p>
  );
}

/**
 * Renders a button that extends the payer's time, if an extension is available. The button needs no script, and repeated submissions count
 * once.
 */
export function MoreTime({ view, page }: { view: Pick<PageView, "tradeId" | "moreTime">; page: PageContext }) {
  const { t } = page;
  if (view.moreTime === null) return null;
  const { minutes, left, extensions } = view.moreTime;
  return (
    <form class="aside" method="post" action={pageHref(view.tradeId, page)}>
      <button class="plain" id="more" type="submit" name="more" value={String(extensions)}>
        {t.moreTime}
      </button>{" "}
      <span class="hint">{t.moreTimeNote(minutes, left)}</span>
    </form>
  );
}
