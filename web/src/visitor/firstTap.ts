/*
 * A tap on Start chat before the app has started. The inline script keeps it (vite/beforeFirstPaint.ts), and the
 * preloader shows it.
 */
const { dataset } = document.documentElement;

/** Whether there was such a tap. True once. */
export function takeTap(): boolean {
  const tapped = dataset.tap === 'kept';
  // Not removed, because the preloader may still be visible.
  if (tapped) dataset.tap = 'taken';
  return tapped;
}

/** The page shows something else. */
export function dropTap(): void {
  delete dataset.tap;
}
