import { useTranslations } from "next-intl";
import { Badge, type Tone } from "@/components/ui/badge";
import type { RefundStatus } from "@/lib/domain/refunds/refund";

const TONE: Readonly<Record<RefundStatus, Tone>> = {
  requested: "neutral",
  claimed: "warn",
  approved: "info",
  sent: "info",
  completed: "good",
  cancelled: "neutral",
  expired: "neutral",
};

/** Renders the status of a refund. */
export function RefundState({ status }: { status: RefundStatus }) {
  const t = useTranslations("refundPages");
  return (
    <Badge tone={TONE[status]} title={t(`stateHint.${status}`)} hasDot>
      {t(`state.${status}`)}
    </Badge>
  );
}
