import type { Page } from "@playwright/test";
import { expectAccessible } from "@/e2e/world/axe";
import { keepLooks } from "@/e2e/world/look";
import { createOrder } from "@/e2e/world/merchant";
import { expect, test } from "@/e2e/world/scenario";
import type { Announcement } from "@/sandbox/announcement";

/** The texts that the tests use, in the two languages with the longest words. */
const LANGUAGES = {
  es: {
    email: "Correo electrónico",
    password: "Contraseña",
    signIn: "Iniciar sesión",
    menu: "Idioma",
    orders: "Pedidos",
  },
  ru: { email: "Эл. почта", password: "Пароль", signIn: "Войти", menu: "Язык", orders: "Заказы" },
} as const;
type Texts = (typeof LANGUAGES)[keyof typeof LANGUAGES];

async function signInWith(page: Page, sandbox: Announcement, texts: Texts): Promise<void> {
  await page.goto(`${sandbox.base_url}/login`);
  await page.getByLabel(texts.email).fill(sandbox.merchant.email);
  await page.getByLabel(texts.password).fill(sandbox.merchant.password);
  await page.getByRole("button", { name: texts.signIn }).click();
  await expect(page).toHaveURL(/\/dashboard/);
}

/** Returns the paths of all pages in the navigation. */
async function pagesIn(page: Page): Promise<string[]> {
  const paths = await page
    .locator("nav a[href^='/dashboard']")
    .evaluateAll((links) => links.map((link) => link.getAttribute("href") ?? ""));
  expect(paths.length).toBeGreaterThan(12);
  return [...new Set(paths)];
}

for (const language of ["es", "ru"] as const) {
  const texts = LANGUAGES[language];

  test.describe(language, () => {
    test.use({ locale: language === "es" ? "es-MX" : "ru-RU" });

    test("every page is in the language of the browser, accessible, and fits a phone", async ({ page, sandbox }) => {
      test.slow();
      const order = await createOrder(sandbox, { network: "ethereum", currency: "USDT", amount: 43 });
      await page.goto(`${sandbox.base_url}/login`);
      await expect(page.locator("html")).toHaveAttribute("lang", language);
      await keepLooks(page, `login-${language}`);
      await signInWith(page, sandbox, texts);
      for (const path of [...(await pagesIn(page)), `/dashboard/orders/${order.trade_id}`]) {
        const answer = await page.goto(sandbox.base_url + path);
        expect(answer?.status(), path).toBe(200);
        await expect(page.locator("html")).toHaveAttribute("lang", language);
        await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
        await keepLooks(page, `${language}${path.replace(order.trade_id, "one").replaceAll("/", "-")}`);
      }
      await expectAccessible(page);
    });
  });
}

test("a user changes the language in the menu, and the choice stays on the next page", async ({ page, sandbox }) => {
  await page.goto(`${sandbox.base_url}/login`);
  await page.getByLabel("Language").selectOption({ label: "Русский" });
  await expect(page.getByRole("button", { name: LANGUAGES.ru.signIn })).toBeVisible();
  await page.getByLabel(LANGUAGES.ru.menu).selectOption({ label: "Español" });
  await expect(page.getByRole("button", { name: LANGUAGES.es.signIn })).toBeVisible();
  await signInWith(page, sandbox, LANGUAGES.es);
  await page.goto(`${sandbox.base_url}/dashboard/orders`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(LANGUAGES.es.orders);
  await expect(page).toHaveTitle(/^Pedidos/);
});
