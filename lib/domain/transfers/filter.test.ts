import { expect, test } from "vitest";
import { parseTransferFilter, writeTransferFilter } from "@/lib/domain/transfers/filter";

test("a filter of transfers reads back as it was written, with the place in the list", () => {
  const filter = {
    isUnmatched: true,
    reason: "late",
    network: "bsc",
    currency: "USDC",
    status: "confirmed",
    text: "0xab",
  } as const;
  const query = writeTransferFilter(filter, { after: "01k" });
  const params = Object.fromEntries(new URLSearchParams(query));
  expect(parseTransferFilter(params)).toEqual(filter);
  expect(params["after"]).toBe("01k");
  expect(writeTransferFilter({})).toBe("");
});

test("what makes no sense is left out, aliases are understood", () => {
  expect(parseTransferFilter({ reason: "because", status: "gone", network: "BEP20", q: "  " })).toEqual({
    network: "bsc",
  });
});
