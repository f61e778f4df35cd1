/** Lucide's shapes that the console and the admin area both draw. */
export const staffShapes = {
  inbox: [
    'M3.5 13.5 6.2 6a2 2 0 0 1 1.9-1.3h7.8A2 2 0 0 1 17.8 6l2.7 7.5v3.3a2.5 2.5 0 0 1-2.5 2.5H6a2.5 2.5 0 0 1-2.5-2.5z',
    'M3.5 13.5h4.8l1.5 2.5h4.4l1.5-2.5h4.8',
  ],
  chevron: ['m6.5 9.5 5.5 5.5 5.5-5.5'],
  shield: ['M12 3.5 5 6v5.5c0 4.2 2.8 7.3 7 9 4.2-1.7 7-4.8 7-9V6z', 'm9 11.8 2.2 2.2 4-4.2'],
  out: ['M14 4.5H7.5A2.5 2.5 0 0 0 5 7v10a2.5 2.5 0 0 0 2.5 2.5H14', 'M10 12h10.5M17 8.5l3.5 3.5-3.5 3.5'],
} as const;
