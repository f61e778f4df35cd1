/** What draws a bell always comes later than a page's first script. */
export const bellShapes = {
  bell: [
    'M10.3 21a2 2 0 0 0 3.4 0',
    'M3.3 15.3A1 1 0 0 0 4 17h16a1 1 0 0 0 .7-1.7C19.4 14 18 12.5 18 8A6 6 0 0 0 6 8c0 4.5-1.4 6-2.7 7.3',
  ],
  bellOff: [
    'M10.3 21a2 2 0 0 0 3.4 0',
    'M17 17H4a1 1 0 0 1-.7-1.7C4.6 14 6 12.5 6 8a6 6 0 0 1 .3-1.7',
    'm2 2 20 20',
    'M8.7 3A6 6 0 0 1 18 8c0 2.7.8 4.7 1.7 6',
  ],
} as const;
