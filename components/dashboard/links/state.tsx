import { useTranslations } from "next-intl";
import { Badge, type Tone } from "@/components/ui/badge";
import type { LinkStatus } from "@/lib/domain/links/link";

const TONE: Readonly<Record<LinkStatus, Tone>> = {
  open: "good",
  used_up: "info",
  expired: "neutral",
  closed: "neutral",
};

/** Renders the status of a payment link. */
export function LinkState({ status }: { status: LinkStatus }) {
  const t = useTranslations("linkPages");
  return (
    <Badge tone={TONE[status]} title={t(`stateHint.${status}`)} hasDot>
      {t(`state.${status}`)}
    </Badge>
  );
}
