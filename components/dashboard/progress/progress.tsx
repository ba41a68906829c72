import { Check, Minus, X } from "lucide-react";
import { useTranslations } from "next-intl";
import { cn } from "@/components/ui/class-names";
import { Time } from "@/components/ui/time";

export type StepState = "done" | "current" | "waiting" | "stopped" | "skipped";

/** A step of a payment. */
export interface ProgressStep {
  key: string;
  text: string;
  state: StepState;
  /** The time at which the step was completed or stopped; null before. */
  at: Date | null;
  /** Details, such as the block or the number of confirmations. */
  note?: string | undefined;
}

const MARK: Record<StepState, string> = {
  done: "bg-good-soft text-good",
  current: "bg-accent text-accent-ink",
  waiting: "bg-sunken text-ink-soft",
  stopped: "bg-warn-soft text-warn",
  skipped: "bg-sunken text-ink-soft",
};

const ICON = { done: Check, stopped: X, skipped: Minus } as const;

interface ProgressProps {
  steps: readonly ProgressStep[];
  now: Date;
}

/** Renders the steps of a payment in their order, each with its state: one below the other on a phone, otherwise side by side. */
export function Progress({ steps, now }: ProgressProps) {
  const t = useTranslations("progress");
  return (
    <section aria-label={t("title")} className="rounded-xl border border-line bg-surface px-4 py-3.5 shadow-xs sm:px-5">
      <ol className="grid gap-3 sm:auto-cols-fr sm:grid-flow-col sm:gap-4">
        {steps.map((step, index) => (
          <li
            key={step.key}
            aria-current={step.state === "current" ? "step" : undefined}
            className="flex min-w-0 gap-2.5 sm:flex-col sm:gap-1.5"
          >
            <Mark state={step.state} number={index + 1} />
            <div className="min-w-0">
              <p className={cn("font-medium", isQuiet(step.state) && "text-ink-soft")}>
                {step.text}
                <span className="sr-only">, {t(`state.${step.state}`)}</span>
              </p>
              {step.note ? <p className="text-[0.8125rem] text-ink-soft wrap-anywhere">{step.note}</p> : null}
              {step.at ? (
                <p className="flex flex-wrap gap-x-1.5 text-ink-soft text-xs">
                  <Time at={step.at.toISOString()} now={now.toISOString()} hasExact />
                </p>
              ) : null}
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}

const isQuiet = (state: StepState) => state === "waiting" || state === "skipped";

function Mark({ state, number }: { state: StepState; number: number }) {
  const Icon = state === "done" || state === "stopped" || state === "skipped" ? ICON[state] : null;
  return (
    <span
      aria-hidden
      className={cn(
        "grid size-6 shrink-0 place-items-center rounded-full font-medium text-xs tabular-nums",
        MARK[state],
      )}
    >
      {Icon ? <Icon className="size-3.5" /> : number}
    </span>
  );
}
