/** @jsxImportSource hono/jsx */
import { html, raw } from "hono/html";
import type { Child } from "hono/jsx";
import { CURRENCIES, isOffered, type Network } from "@/lib/domain/networks";
import { Feed } from "@/sandbox/shop/feed";
import type { Journal, ShopOrder } from "@/sandbox/shop/journal";
import { PRODUCTS, type Product } from "@/sandbox/shop/products";
import { NAMES, PROTOCOLS } from "@/sandbox/shop/protocols/protocol";
import { STYLE } from "@/sandbox/shop/style";

/**
 * The script of the page. It offers the currencies of the selected network, refreshes the feed, and keeps opened details open. The button
 * for paying on this page opens the payment page in an overlay with the service's embed.js. Without the script, it behaves like the other
 * button.
 */
const SCRIPT = `
const currencies = [...document.querySelectorAll("[name=currency]")];
const offer = () => {
  const network = document.querySelector("[name=network]:checked");
  if (!network) return;
  for (const one of currencies) one.disabled = !network.dataset.currencies.split(" ").includes(one.value);
  const chosen = currencies.find((one) => one.checked && !one.disabled) ?? currencies.find((one) => !one.disabled);
  if (chosen) chosen.checked = true;
};
addEventListener("change", offer);
addEventListener("pageshow", offer);
addEventListener("submit", async (event) => {
  const { target: form, submitter: button } = event;
  if (!window.Stablegate || !button?.matches(".here")) return;
  event.preventDefault();
  if (form.ariaBusy) return;
  form.ariaBusy = "true";
  const asked = { method: "POST", body: new FormData(form, button), headers: { accept: "application/json" } };
  const answer = await fetch("/buy", asked).then((one) => one.json(), () => ({ problem: "The shop does not respond." }));
  form.ariaBusy = null;
  const words = document.querySelector("#problem");
  words.hidden = !answer.problem;
  words.textContent = answer.problem;
  if (answer.paymentUrl) Stablegate.open(answer.paymentUrl);
});
const feed = document.querySelector("#feed");
const refresh = async () => {
  const answer = await fetch("/feed");
  if (!answer.ok) return;
  const html = await answer.text();
  const open = [...feed.querySelectorAll("details[open]")].map((one) => one.id);
  feed.innerHTML = html;
  for (const id of open) document.getElementById(id)?.setAttribute("open", "");
};
const events = new EventSource("/events");
events.addEventListener("changed", refresh);
events.addEventListener("open", refresh);
addEventListener("pageshow", refresh);
`;

const ICONS: Readonly<Record<Product["icon"], string>> = {
  cup: "M5 8h11v6a5 5 0 0 1-5 5h-1a5 5 0 0 1-5-5V8Zm11 2h1.5a2.5 2.5 0 0 1 0 5H16M8 2.5v2.5M12 2.5v2.5",
  book: "M6 3h11a1 1 0 0 1 1 1v16a1 1 0 0 1-1 1H6a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2Zm2 0v18M12 8h3",
  lamp: "M8 3l6 2-1 3 5 7h-8l1-5-4-2 1-5Zm6 12v3M8 21h12",
};

/** A network that a buyer can choose. */
export type ShopNetwork = Pick<Network, "id" | "name" | "tokens">;

interface ShopPageProps {
  journal: Journal;
  networks: readonly ShopNetwork[];
  dashboardUrl: string;
  /** The base URL of payment pages. */
  baseUrl: string;
  problem?: string;
}

/** Renders the shop's front page. */
export function ShopPage({ journal, networks, dashboardUrl, baseUrl, problem }: ShopPageProps) {
  return (
    <Document title="Demo shop">
      <header>
        <h1>Demo shop</h1>
        <p>
          A merchant's server. It uses only Stablegate's public API, or a protocol that its plugin already supports: it
          creates orders, and treats an order as paid when the signed callback arrives.{" "}
          <a href={dashboardUrl}>View this in the back office</a>
        </p>
      </header>
      <p class="problem" role="alert" id="problem" hidden={!problem}>
        {problem}
      </p>
      <form method="post" action="/buy">
        {/* What Enter in the amount field presses: without it, the first product would be bought. */}
        <button type="submit" hidden />
        <div class="choices">
          <Choice
            legend="Pay on"
            name="network"
            options={networks.filter(isOffered).map(({ id, name, tokens }) => ({
              value: id,
              label: name,
              currencies: tokens.flatMap(({ currency, isOff }) => (isOff ? [] : currency)).join(" "),
            }))}
          />
          <Choice legend="in" name="currency" options={CURRENCIES.map((value) => ({ value, label: value }))} />
          <Choice
            legend="Protocol of the shop"
            name="protocol"
            options={PROTOCOLS.map((value) => ({ value, label: NAMES[value] }))}
          />
        </div>
        <div class="products">
          {PRODUCTS.map((product) => (
            <Card key={product.id} product={product} />
          ))}
          <GiftCard />
        </div>
      </form>
      <div id="feed">
        <Feed journal={journal} />
      </div>
      <script src={`${baseUrl}/embed.js`} />
    </Document>
  );
}

/** Renders the page to which the payment page returns the buyer. */
export function ThanksPage({ journal, order }: { journal: Journal; order: ShopOrder | undefined }) {
  return (
    <Document title="Thank you">
      <header>
        <h1>Thank you</h1>
        <p>
          {order ? `Your order: ${order.title}, ${order.due}.` : "This order is unknown."}{" "}
          <a href="/">Back to the shop</a>
        </p>
      </header>
      <div id="feed">
        <Feed journal={journal} />
      </div>
    </Document>
  );
}

function Document({ title, children }: { title: string; children: Child }) {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <link rel="icon" href="data:," />
        <title>${title}</title>
        <style>
          ${raw(STYLE)}
        </style>
      </head>
      <body>
        <main>${children}</main>
        <script type="module">
          ${raw(SCRIPT)}
        </script>
      </body>
    </html>`;
}

interface ChoiceProps {
  legend: string;
  name: string;
  /** The options of the list. The `currencies` of an option are those that a network accepts, separated by spaces. */
  options: readonly { value: string; label: string; currencies?: string }[];
}

function Choice({ legend, name, options }: ChoiceProps) {
  return (
    <fieldset>
      <legend>{legend}</legend>
      {options.map(({ value, label, currencies }, index) => (
        <label key={value}>
          <input type="radio" name={name} value={value} checked={index === 0} data-currencies={currencies} />
          {label}
        </label>
      ))}
    </fieldset>
  );
}

function Card({ product }: { product: Product }) {
  return (
    <article>
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <path d={ICONS[product.icon]} />
      </svg>
      <h2>{product.name}</h2>
      <p>{product.about}</p>
      <button type="submit" name="product" value={product.id}>
        Buy for {product.price}
      </button>
      <button type="submit" name="product" value={product.id} class="here">
        Pay {product.price} here
      </button>
    </article>
  );
}

function GiftCard() {
  return (
    <article>
      <h2>Gift card</h2>
      <p>
        <label for="amount">Other amount</label>
      </p>
      <input id="amount" name="amount" inputmode="decimal" placeholder="12.50" autocomplete="off" />
      <button type="submit">Buy</button>
    </article>
  );
}
