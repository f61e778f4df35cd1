/** Known to everyone who reads this file: seed.ts and the demo refuse every address but this machine's own. */
export const DEMO_PASSWORD = 'settee-demo-only';

export const PROFILE = {
  displayName: 'Mara Lindqvist',
  verified: true,
  disclosure: 'Mara’s team helps her answer. This is a demo: nobody real is behind it.',
};

export const admin = { email: 'ana@settee.example', name: 'Ana Kovač' };

/** A person who is simulated, and says so. Staff see the first name above their answers. */
export const script = { alias: 'mara-east', email: 'script@settee.example', name: 'Robin Demo' };

export const handlers = [
  { alias: 'mara-east', email: 'east@settee.example', name: 'Elin Sandberg' },
  { alias: 'mara-tour', email: 'tour@settee.example', name: 'Theo Marchand' },
  { alias: 'mara-press', email: 'press@settee.example', name: 'Paula Grimm' },
  { alias: 'mara-night', email: 'night@settee.example', name: 'Nils Aalto' },
  script,
];

export const savedReplies = [
  {
    shortcut: 'thanks',
    text: 'Thank you so much for reading, {name}. It means more than you think.',
    shared: true,
  },
  {
    shortcut: 'tour',
    text: 'All the dates are on the tour page: https://example.org/mara/tour',
    shared: true,
  },
  {
    shortcut: 'sign',
    text: 'Send me the name for the dedication, and it goes out with the next post.',
    shared: true,
  },
  { shortcut: 'later', text: 'Mara reads this herself. Please give her until the evening.', shared: false },
];
