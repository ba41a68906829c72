import { CircleAlert, CircleCheck, Info, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { cn } from "@/components/ui/class-names";

const TONE = {
  bad: { look: "border-bad/30 bg-bad-soft text-bad", Icon: CircleAlert },
  warn: { look: "border-warn/30 bg-warn-soft text-warn", Icon: TriangleAlert },
  good: { look: "border-good/30 bg-good-soft text-good", Icon: CircleCheck },
  info: { look: "border-info/30 bg-info-soft text-info", Icon: Info },
} as const;

interface NoticeProps {
  tone: keyof typeof TONE;
  children: ReactNode;
  /** The link to the page on which the user can correct the problem. */
  action?: ReactNode;
  /** True if the notice is announced as soon as it appears. */
  isAlert?: boolean;
}

/** Renders a prominent message. */
export function Notice({ tone, children, action, isAlert }: NoticeProps) {
  const { look, Icon } = TONE[tone];
  return (
    <div
      role={isAlert ? "alert" : undefined}
      className={cn("flex flex-wrap items-center gap-x-3 gap-y-2 rounded-lg border px-3.5 py-2.5", look)}
    >
      <div className="flex min-w-0 flex-1 basis-60 gap-2.5">
        <Icon aria-hidden className="mt-0.5 size-4 shrink-0" />
        <div className="min-w-0 wrap-anywhere">{children}</div>
      </div>
      {action}
    </div>
  );
}
