/** The tests of e2e/product that also run in Firefox, by one id each. docs/browsers.md says why others cannot. */
export const firefoxJourneys = [
  // The visitor: link, name, both directions, offline and back, second device.
  'R-02',
  'V-03',
  'V-04',
  'E-01',
  'MSG-40',
  'PRIVACY-05',
  'PRIVACY-06',
  'MSG-41',
  'MSG-12',
  'MSG-16',
  'MSG-22',
  'MSG-29',
  'NET-08',
  'NET-14',
  'DEVICE-12',
  'DEVICE-23',
  // Sign-in, the console and its images.
  'H-09',
  'R-03',
  'CONSOLE-12',
  'CONSOLE-17',
  'CONSOLE-18',
  'QUEUE-08',
  'QUEUE-15',
  'QUEUE-18',
  'MEDIA-27',
  'MEDIA-28',
  'FACTOR-01',
  // The admin area and the landing page.
  'R-01',
  'A-01',
  'A-04',
  'ADMIN-11',
  'ADMIN-40',
  'AUTH-07',
  'INVITE-22',
  'INVITE-24',
  'PRIVACY-10',
  // The theme, and days by keyboard alone.
  'PAGE-13',
  'A11Y-12',
  'A11Y-14',
  'ADMIN-46',
  // What a screen reader gets, and axe.
  'ENGINE-10',
  'ENGINE-11',
] as const;

export const inFirefox = new RegExp(`\\[(?:${firefoxJourneys.join('|')})\\]`);
