import { expect, test } from "vitest";
import { nameOfOrigin, registerIntegrations } from "@/lib/domain/integrations/integration";
import { blankIntegration } from "@/testing/integrations/blank";

const withId = (id: string) => blankIntegration(id, { name: { en: "Toy", zh: "玩具", es: "Juguete", ru: "Игрушка" } });

test.each([
  ["", 'got ""'],
  ["Toy", 'got "Toy"'],
  ["1toy", 'got "1toy"'],
  ["a".repeat(33), "1 to 32"],
  ["api", "must not be one of api, standard, plugin-v1"],
  ["standard", "must not be one of"],
])("the id %j is refused", (id, message) => {
  expect(() => registerIntegrations([withId(id)])).toThrow(message);
});

test("two integrations with one id are refused", () => {
  expect(() => registerIntegrations([withId("toy"), withId("toy")])).toThrow('Two integrations have the id "toy"');
  expect([...registerIntegrations([withId("toy"), withId("toy-2")]).keys()]).toEqual(["toy", "toy-2"]);
});

test("an integration with connections must not have a price currency, because a connection does not ask for one", () => {
  const { description } = withId("toy");
  const connection = {
    permissions: { en: {}, zh: {}, es: {}, ru: {} },
    connectionPath: "/",
    read: () => ({ why: "noUrl", what: "" }) as const,
  };
  const priced = blankIntegration("toy", {
    description: { ...description, hasPriceCurrency: true },
    connection: { ...connection, encryptToken: () => "" },
  });
  expect(() => registerIntegrations([priced])).toThrow('"toy" must not have a price currency');
});

test("an order shows the name of its integration, or its id if that is not installed", () => {
  const integrations = registerIntegrations([withId("toy")]);
  expect(nameOfOrigin(integrations, "toy", "zh")).toBe("玩具");
  expect(nameOfOrigin(integrations, "toy", "es")).toBe("Juguete");
  expect(nameOfOrigin(integrations, "toy", "fr")).toBe("Toy");
  expect(nameOfOrigin(integrations, "gone", "en")).toBe("gone");
  expect(nameOfOrigin(integrations, "api", "en")).toBeNull();
});
