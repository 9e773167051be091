/** A text as a picture for a phone to read. */
import { encode } from "uqr";

/** Quiet modules around it, without which readers do not find it. */
const BORDER = 2;

export function Qr(props: { text: string; label: string }) {
  const code = () => encode(props.text, { border: BORDER });
  const path = () =>
    code()
      .data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
      .join("");
  return (
    <svg class="qr" viewBox={`0 0 ${code().size} ${code().size}`} role="img" aria-label={props.label}>
      <path d={path()} />
    </svg>
  );
}
