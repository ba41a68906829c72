/** @jsxImportSource hono/jsx */
import { encode } from "uqr";

const QUIET_ZONE = 4;

const MAX_CACHED = 500;
/**
 * A cache of the QR codes of addresses, 6 KB each. Drawing a code costs more than rendering all other parts of the page, and addresses
 * recur.
 */
const drawn = new Map<string, { size: number; path: string }>();

/** A fixed mask for QR codes. Selecting the best of the eight masks takes nine tenths of the drawing time. */
const ANY_MASK = 2;
const BEST_MASK = -1;

interface QrCodeProps {
  payload: string;
  label: string;
  /** True if the payload belongs to a single order and does not recur for others. */
  isOfOrder?: boolean;
}

/** Renders a QR code: dark on white with its quiet zone in every color scheme, error correction level M. */
export function QrCode({ payload, label, isOfOrder = false }: QrCodeProps) {
  const { size, path } = isOfOrder ? draw(payload, ANY_MASK) : drawOnce(payload);
  return (
    <svg class="qr-code" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shape-rendering="crispEdges">
      <path fill="#fff" d={`M0 0h${size}v${size}H0z`} />
      <path stroke="#000" d={path} />
    </svg>
  );
}

function draw(payload: string, maskPattern: number) {
  const { data, size } = encode(payload, { ecc: "M", border: QUIET_ZONE, maskPattern });
  return { size, path: data.map(rowPath).join("") };
}

function drawOnce(payload: string) {
  const known = drawn.get(payload);
  if (known) return known;
  const code = draw(payload, BEST_MASK);
  const [oldest] = drawn.keys();
  if (drawn.size >= MAX_CACHED && oldest !== undefined) drawn.delete(oldest);
  drawn.set(payload, code);
  return code;
}

/**
 * Returns the dark runs of one row as lines that are one module thick. The moves between them are relative, because small numbers compress
 * to half the size of coordinates.
 */
function rowPath(row: boolean[], y: number): string {
  let path = "";
  let drawnTo = 0;
  for (let x = 0; x < row.length; x++) {
    if (!row[x]) continue;
    let end = x;
    while (row[end]) end++;
    path += path === "" ? `M${x} ${y}.5` : `m${x - drawnTo} 0`;
    path += `h${end - x}`;
    drawnTo = end;
    x = end;
  }
  return path;
}
