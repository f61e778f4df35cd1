/** Settee's logo: two seats that form an S. */
export function Logo({ size }: { size: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <path
        d="M22.8 9.4A6.8 6.8 0 1 0 16 16a6.8 6.8 0 1 1-6.8 6.6"
        fill="none"
        stroke="currentColor"
        strokeWidth="3"
        strokeLinecap="round"
      />
      <circle cx="16.2" cy="9.2" r="2.3" fill="currentColor" />
      <circle cx="15.8" cy="22.8" r="2.3" fill="var(--lamp)" />
    </svg>
  );
}
