import styles from './Seal.module.css';
import { Tooltip } from './Tooltip.tsx';

const sizes = { small: 16, medium: 18, large: 22 } as const;

/** The verified badge, with a tooltip as its name. */
export function Seal({ label, size = 'medium' }: { label: string; size?: keyof typeof sizes }) {
  return (
    <Tooltip text={label} position="bottom">
      {(id) => (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboards must reach the tooltip too
        <span className={styles.seal} role="img" aria-labelledby={id} tabIndex={0}>
          <SealShape size={sizes[size]} />
        </span>
      )}
    </Tooltip>
  );
}

/** The shape without a tooltip, for use beside text. */
export function SealShape({ size }: { size: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
      <g fill="var(--verified)">
        <rect x="3.8" y="3.8" width="16.4" height="16.4" rx="4.6" />
        <rect x="3.8" y="3.8" width="16.4" height="16.4" rx="4.6" transform="rotate(45 12 12)" />
      </g>
      <path
        d="m8.3 12.3 2.6 2.6 4.9-5.4"
        fill="none"
        stroke="var(--surface)"
        strokeWidth="2.1"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
