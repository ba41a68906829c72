import { type Problem, problem } from "@/lib/domain/problems/problem";

/** The reason why a network accepts no new orders, as returned by the database function `network_refusal_code`. */
export type NetworkRefusal =
  | { code: "closedByOperator"; since: string }
  /** `problem`: the sentence that the network's worker stored. */
  | { code: "reported"; problem: string }
  /** No worker has read the network for five minutes. */
  | { code: "unwatched"; since: string };

/** Returns the reason as a parameter of a problem. */
export function refusalReason(refusal: NetworkRefusal): Problem | string {
  switch (refusal.code) {
    case "closedByOperator":
      return problem("network_closed_by_operator", { since: minuteOf(refusal.since) });
    case "reported":
      return refusal.problem;
    case "unwatched":
      return problem("network_unwatched", { since: minuteOf(refusal.since) });
  }
}

function minuteOf(time: string): string {
  return `${new Date(time).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
