import { getTranslations } from "next-intl/server";
import { getContext } from "@/app/context";
import { requirePerson } from "@/app/session";
import { chooseLanguage } from "@/components/pay/messages/languages";
import { checkoutPage } from "@/components/pay/page/document";
import { PREVIEW_STATES, previewView } from "@/lib/domain/checkout/preview";
import { checkoutTag, viewName } from "@/lib/domain/checkout/refresh";
import { callOfRequest } from "@/lib/http/api-call";
import { responseOf, timeHeader } from "@/lib/http/reply";
import { findBrand } from "@/lib/merchants/checkout/checkout-settings";

/** Renders the payment page as payers of this merchant see it, or with `?state=paid` after the payment. */
export async function GET(request: Request): Promise<Response> {
  const person = await requirePerson();
  const { pool, pages, now } = getContext();
  const at = now();
  const { brand, shownName, logo } = await findBrand(pool.db, person.merchantId);
  const asked = new URL(request.url).searchParams;
  const state = PREVIEW_STATES.find((one) => one === asked.get("state")) ?? "waiting";
  const t = chooseLanguage({ chosen: asked.get("lang") }, brand.languages);
  const merchantName = shownName ?? person.merchantName;
  const view = previewView({ merchantName, brand: { ...brand, frameParents: [] }, state }, at);
  const notice = (await getTranslations("checkout"))("notice");
  const make = () => checkoutPage(view, checkoutTag(view), { t, isSandbox: false, logo, notice });
  const options = { headers: timeHeader(at) };
  return responseOf(
    await pages.answer(callOfRequest(request), `preview ${t.lang} ${notice} ${viewName(view)}`, make, options),
  );
}
