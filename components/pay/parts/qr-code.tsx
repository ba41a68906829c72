/** @jsxImportSource hono/jsx */
import { encode } from "uqr";

const QUIET_ZONE = 4;

/** A QR code: dark on white with its quiet zone in every colour scheme, error correction M. */
export function QrCode({ payload, label }: { payload: string; label: string }) {
  const { data, size } = encode(payload, { ecc: "M", border: QUIET_ZONE });
  return (
    <svg class="qr-code" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shape-rendering="crispEdges">
      <path fill="#fff" d={`M0 0h${size}v${size}H0z`} />
      <path stroke="#000" d={data.map(rowPath).join("")} />
    </svg>
  );
}

/** Dark runs of one row as lines one module thick. */
function rowPath(row: boolean[], y: number): string {
  let path = "";
  for (let x = 0; x < row.length; x++) {
    if (!row[x]) continue;
    let end = x;
    while (row[end]) end++;
    path += `M${x} ${y}.5h${end - x}`;
    x = end;
  }
  return path;
}
