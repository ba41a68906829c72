import { formText } from "@/lib/domain/fields/form";
import { problem } from "@/lib/domain/problems/problem";

/** The first steps that users mark as done or skip, because the service cannot detect that they are done. */
export const SETTLED_STEPS = ["callback", "factor", "backup"] as const;
export type SettledStep = (typeof SETTLED_STEPS)[number];

/** The form that marks a step as done or skips it. */
export const SETTLE_FORM = {
  step: formText((typed) => {
    const step = SETTLED_STEPS.find((known) => known === typed);
    return step === undefined ? { problem: problem("step_unknown") } : { value: step };
  }),
};

/** The steps that a shop has completed. */
export interface DoneSteps {
  hasAddress: boolean;
  /** True if payers see how to reach the merchant. */
  hasContact: boolean;
  hasKey: boolean;
  hasPlugin: boolean;
  hasOrder: boolean;
  hasPaidOrder: boolean;
  hasAnsweredCallback: boolean;
  /** The steps that users marked as done or skipped. */
  settled: readonly string[];
}

/** The facts about the viewer on which steps depend. */
export interface StepViewer {
  hasFactor: boolean;
  /** True if the viewer operates the installation. */
  isOperator: boolean;
}

export type StepName = "ways" | "contact" | "connect" | "test" | SettledStep;

export interface FirstStep {
  name: StepName;
  isDone: boolean;
}

/** Returns the first steps of a shop, in their order. Only operators see the backup. */
export function listFirstSteps(done: DoneSteps, { hasFactor, isOperator }: StepViewer): FirstStep[] {
  const isSettled = (step: SettledStep) => done.settled.includes(step);
  const steps: FirstStep[] = [
    { name: "ways", isDone: done.hasAddress },
    { name: "contact", isDone: done.hasContact },
    { name: "connect", isDone: done.hasKey || done.hasPlugin || done.hasOrder },
    { name: "test", isDone: done.hasPaidOrder },
    { name: "callback", isDone: done.hasAnsweredCallback || isSettled("callback") },
    { name: "factor", isDone: hasFactor || isSettled("factor") },
  ];
  if (isOperator) steps.push({ name: "backup", isDone: isSettled("backup") });
  return steps;
}
