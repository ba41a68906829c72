/** @jsxImportSource hono/jsx */

const EDGE = 6;

/** Renders a full address or transaction id that may wrap anywhere. Its ends are emphasized, because payers compare them. */
export function Address({ text }: { text: string }) {
  return (
    <bdi class="mono" dir="ltr" translate="no">
      <b>{text.slice(0, EDGE)}</b>
      {text.slice(EDGE, -EDGE)}
      <b>{text.slice(-EDGE)}</b>
    </bdi>
  );
}
