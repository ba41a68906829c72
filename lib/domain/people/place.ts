/** Where somebody was who did something: their address, of IPv6 the network, and their browser in words. */
export interface Place {
  ip: string;
  browser: string;
}

/** A place on one line; "" where none is known. */
export function placeWords(place: Place | undefined): string {
  return place ? [place.ip, place.browser].filter(Boolean).join(" · ") : "";
}
