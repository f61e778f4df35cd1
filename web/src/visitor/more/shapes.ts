/** Lucide's shapes for the menu alone: the page's first script does without them. */
export const shapes = {
  pencil: [
    'M4.5 19.5 5.6 15 15.5 5.1a2.05 2.05 0 0 1 2.9 0l.5.5a2.05 2.05 0 0 1 0 2.9L9 18.4z',
    'M13.5 7.1l3.4 3.4',
  ],
  devices: [
    'M8 17.5H4.5A1.5 1.5 0 0 1 3 16V6.5A1.5 1.5 0 0 1 4.5 5h12A1.5 1.5 0 0 1 18 6.5V8',
    'M14.5 11h5A1.5 1.5 0 0 1 21 12.5v6a1.5 1.5 0 0 1-1.5 1.5h-5a1.5 1.5 0 0 1-1.5-1.5v-6A1.5 1.5 0 0 1 14.5 11Z',
  ],
} as const;
