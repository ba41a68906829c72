/** The steps of a refund that integrations can report. Their names are those of the audit log. */
export const REFUND_STEPS = [
  "refund.claimed",
  "refund.reopened",
  "refund.approved",
  "refund.sent",
  "refund.unsent",
  "refund.completed",
  "refund.reversed",
  "refund.cancelled",
] as const;
export type RefundStepName = (typeof REFUND_STEPS)[number];
