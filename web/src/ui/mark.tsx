/** The venue's mark. */
export function Mark() {
  return (
    <svg viewBox="0 0 32 32" width="24" height="24" aria-hidden="true">
      <rect class="mark-ground" width="32" height="32" rx="7" />
      <g class="mark-bars">
        <rect x="6" y="15" width="5" height="10" rx="1" />
        <rect x="13.5" y="10" width="5" height="15" rx="1" />
        <rect x="21" y="6" width="5" height="19" rx="1" />
      </g>
    </svg>
  );
}
