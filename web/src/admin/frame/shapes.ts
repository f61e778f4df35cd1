import { staffShapes } from '../../staff/shapes.ts';

/** Lucide shapes used only by the admin frame. */
export const shapes = {
  ...staffShapes,
  chart: ['M4.5 19.5v-6M12 19.5v-14M19.5 19.5v-9.5'],
  users: [
    'M9 4.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 1 0 0-7',
    'M2.8 19.5a6.2 6.2 0 0 1 12.4 0',
    'M15.5 4.9a3.5 3.5 0 0 1 0 6.2M17.5 13.7a6.2 6.2 0 0 1 3.7 5.8',
  ],
  user: ['M12 4.2a3.8 3.8 0 1 0 0 7.6 3.8 3.8 0 1 0 0-7.6', 'M4.8 20a7.2 7.2 0 0 1 14.4 0'],
  log: ['M8.5 6.5h11M8.5 12h11M8.5 17.5h7M4.5 6.5h.01M4.5 12h.01M4.5 17.5h.01'],
  plug: ['M12 21.5v-4M9 3v5M15 3v5', 'M6 8h12v4a5.5 5.5 0 0 1-5.5 5.5h-1A5.5 5.5 0 0 1 6 12z'],
  /** Rounded squares, as the pictures of profiles are. */
  profiles: [4.5, 13.5].flatMap((x) =>
    [4.5, 13.5].map(
      (y) => `M${x + 2} ${y}h2a2 2 0 0 1 2 2v2a2 2 0 0 1-2 2h-2a2 2 0 0 1-2-2v-2a2 2 0 0 1 2-2Z`,
    ),
  ),
  menu: ['M4.5 7h15M4.5 12h15M4.5 17h15'],
} as const;
