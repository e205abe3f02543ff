import { encode } from 'uqr';

export type QRCodeProps = { text: string; label: string };

// The standard asks for this many light modules around the code.
const QUIET = 4;

/** A text as a QR code, dark on light in every theme: not all phones read the inverse. */
export function QRCode({ text, label }: QRCodeProps) {
  const { data: rows } = encode(text, { ecc: 'M', border: 0 });
  const size = rows.length + 2 * QUIET;
  return (
    <svg className="qr__picture" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <rect width={size} height={size} fill="#fff" />
      <path d={pathOf(rows)} fill="#000" shapeRendering="crispEdges" />
    </svg>
  );
}

function pathOf(rows: boolean[][]): string {
  return rows
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x + QUIET} ${y + QUIET}h1v1h-1z` : '')))
    .join('');
}
