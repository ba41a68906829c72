import { expect, test } from "vitest";
import { transferFilter } from "@/lib/domain/transfers/filter";

test("a filter of transfers reads back as it was written, with the place in the list", () => {
  const filter = {
    show: "unmatched",
    reason: "late",
    network: "bsc",
    currency: "USDC",
    status: "confirmed",
    text: "0xab",
  } as const;
  const query = transferFilter.write(filter, { after: "01k" });
  const params = Object.fromEntries(new URLSearchParams(query));
  expect(transferFilter.parse(params)).toEqual(filter);
  expect(params["after"]).toBe("01k");
  expect(transferFilter.write({})).toBe("");
});

test("invalid values are ignored, aliases are accepted", () => {
  expect(transferFilter.parse({ reason: "because", status: "gone", network: "BEP20", q: "  " })).toEqual({
    network: "bsc",
  });
});
