const mirrored = new WeakSet<readonly string[]>();

/** An icon that points along the line of text. It is mirrored where text runs from right to left. */
export function alongText<T extends readonly string[]>(paths: T): T {
  mirrored.add(paths);
  return paths;
}

/** Lucide icons on a 24 px grid. */
export const iconShapes = {
  send: ['M12 19V5.5', 'm6 11 6-6 6 6'],
  x: ['m6 6 12 12M18 6 6 18'],
  lock: [
    'M7.5 10.5h9A2.5 2.5 0 0 1 19 13v5a2.5 2.5 0 0 1-2.5 2.5h-9A2.5 2.5 0 0 1 5 18v-5a2.5 2.5 0 0 1 2.5-2.5Z',
    'M8 10.5V8a4 4 0 0 1 8 0v2.5',
  ],
  copy: [
    'M10.5 8.5h7a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2h-7a2 2 0 0 1-2-2v-8a2 2 0 0 1 2-2Z',
    'M15.5 8.5v-3a2 2 0 0 0-2-2h-7a2 2 0 0 0-2 2v8a2 2 0 0 0 2 2h2',
  ],
  down: ['M12 5v13.5', 'm6 13 6 6 6-6'],
  more: [5.5, 12, 18.5].map((x) => `M${x} 11.2a.8.8 0 1 0 0 1.6.8.8 0 1 0 0-1.6`),
  check: ['m5 12.5 4.5 4.5L19 7'],
  seen: ['m2.5 12.5 4.5 4.5 9-10', 'm12 16.2 1 .8 9-10'],
  clock: ['M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 1 0 0-17', 'M12 7.5V12l3 2'],
  alert: ['M12 3.3a8.7 8.7 0 1 0 0 17.4 8.7 8.7 0 1 0 0-17.4', 'M12 7.8v5', 'M12 16.2h.01'],
  back: alongText(['M19 12H5.5M11 6l-6 6 6 6']),
  retry: ['M19.5 12a7.5 7.5 0 1 1-2.3-5.4', 'M19.8 3.5v4h-4'],
} as const;

export type IconName = keyof typeof iconShapes;

export function Icon({ name, size }: { name: IconName; size?: number }) {
  return <Shape paths={iconShapes[name]} {...(size !== undefined && { size })} />;
}

/** An icon that only one component uses. */
export function Shape({ paths, size = 20 }: { paths: readonly string[]; size?: number }) {
  return (
    <svg
      className="drawn"
      data-mirrored={mirrored.has(paths) || undefined}
      width={size}
      height={size}
      viewBox="0 0 24 24"
      aria-hidden="true"
    >
      {paths.map((d) => (
        <path key={d} d={d} />
      ))}
    </svg>
  );
}
