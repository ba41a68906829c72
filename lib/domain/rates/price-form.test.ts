import { expect, test } from "vitest";
import { formReader } from "@/lib/domain/fields/form";
import { PRICE_DECIMALS_FORM, readPriceForm } from "@/lib/domain/rates/price-form";

const PRICE = { fiat: "EUR", mode: "market", markUp: "", fixedRate: "" };

test.each<[Partial<typeof PRICE>, string[]]>([
  [{ fiat: "EURO" }, ["fiat"]],
  [{ fiat: "XAU", mode: "x" }, ["fiat", "mode"]],
  [{ mode: "markup", markUp: "" }, ["markUp"]],
  [{ mode: "markup", markUp: "51" }, ["markUp"]],
  [{ mode: "fixed" }, ["fixedRate"]],
  [{ mode: "fixed", fixedRate: "0" }, ["fixedRate"]],
  [{ fixedRate: "a" }, ["fixedRate"]],
])("the form %j has a problem in each invalid field", (change, fields) => {
  expect(readPriceForm({ ...PRICE, ...change })).toMatchObject({ errors: fields.map((field) => ({ field })) });
});

test("a mark-up counts only in its mode, and a fixed rate may be written with a comma", () => {
  expect(readPriceForm({ ...PRICE, fiat: " eur ", markUp: "x", fixedRate: "0,5" })).toEqual({
    fiat: "EUR",
    mode: "market",
    markUpBasisPoints: 0,
    fixedRate: 500_000_000_000n,
  });
});

test.each(["7", "", "-1", "1.5"])("amounts do not have %j decimals", (decimals) => {
  expect(formReader(PRICE_DECIMALS_FORM)({ decimals })).toHaveProperty("errors");
});
