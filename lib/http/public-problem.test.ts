import { expect, test } from "vitest";
import { type Problem, problem } from "@/lib/domain/problems/problem";
import { problemReply } from "@/lib/http/public-problem";

test.each<[Problem, number, string, string | undefined]>([
  [problem("too_many_views", { seconds: 7 }), 429, "Too many views from this address; try again in 7 s", "7"],
  [
    problem("too_many_streams_of_address", { seconds: 60 }),
    429,
    "This address has too many open event streams; poll the status instead; try again in 60 s",
    "60",
  ],
  [
    problem("too_many_streams", { seconds: 60 }),
    503,
    "Too many event streams are open; poll the status instead; try again in 60 s",
    "60",
  ],
  [problem("page_order_not_found"), 404, "This order does not exist", undefined],
  [problem("page_deposit_not_found"), 404, "This deposit address does not exist", undefined],
  [
    problem("page_order_not_verified", { seconds: 5 }),
    503,
    "The order cannot be paid now because its address was changed; try again in 5 s",
    "5",
  ],
  [
    problem("page_order_unreadable", { seconds: 5 }),
    503,
    "The order is temporarily unavailable; try again in 5 s",
    "5",
  ],
  [
    problem("page_deposit_unreadable", { seconds: 5 }),
    503,
    "The deposit address is temporarily unavailable; try again in 5 s",
    "5",
  ],
  [
    problem("public_keys_unreadable", { seconds: 5 }),
    503,
    "The keys are temporarily unavailable; try again in 5 s",
    "5",
  ],
])(
  "%o has the HTTP status of its code, its sentence and the seconds to wait",
  (invalid, status, message, retryAfter) => {
    const { headers, ...reply } = problemReply(invalid);
    expect(reply).toEqual({ status, body: JSON.stringify({ message }) });
    expect(headers).toMatchObject({ "content-type": "application/json", "cache-control": "no-store" });
    expect(headers["retry-after"]).toBe(retryAfter);
  },
);
