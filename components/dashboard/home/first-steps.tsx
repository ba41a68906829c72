import { ArrowRight, Check } from "lucide-react";
import Link from "next/link";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { cn } from "@/components/ui/class-names";

export interface Step {
  title: string;
  hint: string;
  isDone: boolean;
  /** The pages on which the step is completed. */
  actions: readonly { href: string; text: string }[];
  /** The button that marks the step as done or skips it; absent if the service detects that it is done. */
  settle?: ReactNode;
  /** The content that is shown while the step is next. */
  more?: ReactNode;
}

/** Renders the first steps with their progress. Every open step shows its actions; the next one is emphasized. */
export function FirstSteps({ steps }: { steps: readonly Step[] }) {
  const t = useTranslations("steps");
  const done = steps.filter((step) => step.isDone).length;
  const next = steps.findIndex((step) => !step.isDone);
  return (
    <Card title={t("title")} hint={t("progress", { done, all: steps.length })} isFlush>
      <ol className="divide-y divide-line border-line border-t">
        {steps.map((step, index) => (
          <li key={step.title} className="px-4 py-3 sm:px-5">
            <StepRow step={step} number={index + 1} isNext={index === next} />
          </li>
        ))}
      </ol>
    </Card>
  );
}

function StepRow({ step, number, isNext }: { step: Step; number: number; isNext: boolean }) {
  const t = useTranslations("steps");
  return (
    <div className="flex gap-3">
      <span
        aria-hidden
        className={cn(
          "grid size-6 shrink-0 place-items-center rounded-full font-medium text-xs tabular-nums",
          step.isDone ? "bg-good-soft text-good" : isNext ? "bg-accent text-accent-ink" : "bg-sunken text-ink-soft",
        )}
      >
        {step.isDone ? <Check className="size-3.5" /> : number}
      </span>
      <div className="grid min-w-0 flex-1 gap-2">
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
          <div className="min-w-0 flex-1 basis-60">
            <p className={cn("font-medium", step.isDone && "text-ink-soft")}>
              {step.title}
              <span className="sr-only">{t(step.isDone ? "done" : "open")}</span>
            </p>
            {step.isDone ? null : <p className="text-[0.8125rem] text-ink-soft">{step.hint}</p>}
          </div>
          {step.isDone ? null : (
            <div className="flex flex-wrap gap-2">
              {step.actions.map(({ href, text }, index) => (
                <Button key={text} asChild look={isNext && index === 0 ? "primary" : "secondary"} size="small">
                  <Link href={href}>
                    {text} <ArrowRight aria-hidden />
                  </Link>
                </Button>
              ))}
              {step.settle}
            </div>
          )}
        </div>
        {isNext ? step.more : null}
      </div>
    </div>
  );
}
