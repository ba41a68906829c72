/** @jsxImportSource hono/jsx */
import type { CheckoutView } from "@/lib/domain/checkout/view";
import { allNetworks } from "@/lib/domain/networks";

/** Renders the name of the network in its color. */
export function NetworkBadge({ network }: { network: CheckoutView["network"] }) {
  return (
    <bdi class={`network network-${network.id}`} dir="ltr">
      {network.title}
    </bdi>
  );
}

/** Returns the style rules for the badge of every network. */
export function networkStyle(): string {
  return allNetworks()
    .map(({ id, color }) => `.network-${id}{background:${color.background};color:${color.text}}`)
    .join("");
}
