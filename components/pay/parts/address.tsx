/** @jsxImportSource hono/jsx */

const EDGE = 6;

/** A full address or transaction id that may wrap anywhere; what people compare, its ends, is emphasised. */
export function Address({ text }: { text: string }) {
  return (
    <bdi class="mono" dir="ltr" translate="no">
      <b>{text.slice(0, EDGE)}</b>
      {text.slice(EDGE, -EDGE)}
      <b>{text.slice(-EDGE)}</b>
    </bdi>
  );
}
