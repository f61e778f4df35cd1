import { staffShapes } from '../staff/shapes.ts';
import { alongText } from '../ui/Icon.tsx';

/** Lucide shapes used only by the console. */
export const shapes = {
  ...staffShapes,
  right: alongText(['m9.5 6 6 6-6 6']),
  snooze: [
    'M12 5a8 8 0 1 0 0 16 8 8 0 1 0 0-16',
    'M10 10.5h4l-4 5h4',
    'M4 5.5 6.500 3.500M20 5.500 17.500 3.500',
  ],
  checks: ['M4 6.5 6 8.500 9.500 4.500M4 16.500 6 18.500 9.500 14.500', 'M13 7h7.500M13 17h7.500'],
  bolt: ['M13 3.5 5.5 13.5H11l-1 7 7.5-10H12z'],
  panel: [
    'M6.5 4.5h11A2.5 2.5 0 0 1 20 7v10a2.5 2.5 0 0 1-2.5 2.5h-11A2.5 2.5 0 0 1 4 17V7a2.5 2.5 0 0 1 2.5-2.5Z',
    'M14.5 4.5v15',
  ],
  handOver: ['M4.5 8.5h13M14 5l3.5 3.5L14 12', 'M19.5 15.5h-13M10 12l-3.5 3.5L10 19'],
  unread: [
    'M12 5.5H7A2.5 2.5 0 0 0 4.5 8v8A2.5 2.5 0 0 0 7 18.5h10a2.5 2.5 0 0 0 2.5-2.5v-4',
    'M18 4a2.2 2.2 0 1 0 0 4.4A2.2 2.2 0 1 0 18 4',
  ],
  keys: [
    'M5.5 6.5h13A2.5 2.5 0 0 1 21 9v6a2.5 2.5 0 0 1-2.5 2.5h-13A2.5 2.5 0 0 1 3 15V9a2.5 2.5 0 0 1 2.5-2.5Z',
    'M7 10.5h.01M12 10.5h.01M17 10.5h.01M9 14h6',
  ],
} as const;
