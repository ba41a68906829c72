import { expect, test } from "vitest";
import { formReader } from "@/lib/domain/fields/form";
import {
  type IntegrationSetting,
  PRICE_CURRENCY_FORM,
  settingValues,
  TOKEN_PRICES,
  viewSetting,
} from "@/lib/domain/integrations/settings";

const flagTexts = { label: "Greeting", hint: "", choice: "Send a greeting", yes: "Sent", no: "Not sent" };
const choiceTexts = { label: "Size", hint: "", options: { small: "Small" } };
const SETTINGS: readonly IntegrationSetting[] = [
  {
    kind: "flag",
    name: "greets",
    initial: true,
    texts: { en: flagTexts, zh: { ...flagTexts, label: "问候" }, es: flagTexts, ru: flagTexts },
  },
  {
    kind: "choice",
    name: "size",
    initial: "small",
    options: ["small", "large"],
    texts: { en: choiceTexts, zh: choiceTexts, es: choiceTexts, ru: choiceTexts },
  },
];

test.each([
  ["nothing is stored", {}, { greets: true, size: "small" }],
  ["valid values are stored", { greets: false, size: "large" }, { greets: false, size: "large" }],
  [
    "invalid and undeclared values are stored",
    { greets: "yes", size: "huge", other: 1 as never },
    { greets: true, size: "small" },
  ],
])("%s", (_case, stored, expected) => {
  expect(settingValues(SETTINGS, stored)).toEqual(expected);
});

test.each([
  ["USD", { fiat: "USD" }],
  [TOKEN_PRICES, { fiat: null }],
  ["", { errors: [{ field: "fiat", code: "price_currency_missing", params: {} }] }],
  ["XXQ", { errors: [{ field: "fiat", code: "price_currency_missing", params: {} }] }],
])("the price currency %j is read as %j", (fiat, expected) => {
  expect(formReader(PRICE_CURRENCY_FORM)({ fiat })).toEqual(expected);
});

test("a setting is shown in the language of the back office, an option without a text by its name", () => {
  const [flag, choice] = SETTINGS.map((setting) => viewSetting(setting, "zh"));
  expect(flag).toMatchObject({ name: "greets", label: "问候", yes: "Sent" });
  expect(choice).toMatchObject({
    options: [
      { value: "small", text: "Small" },
      { value: "large", text: "large" },
    ],
  });
});
