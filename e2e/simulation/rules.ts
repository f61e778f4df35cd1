/** What must hold. Each is one test. */
export const rules = {
  acknowledged: 'an acknowledged message is stored, under the number of its ack',
  once: 'no message is stored twice, or shown twice',
  gaps: 'every screen shows all numbers without a gap, as they are stored',
  order: 'messages of one device are stored in the order in which they were written',
  texts: 'every text is stored once, or it is visibly not sent: never lost, never both',
  images: 'every image is sent once, in order, and its file exists; or it is visibly not sent',
  outbox: 'at rest, no outbox holds a message that could be sent',
  screens: 'at rest, every screen shows what the database has',
  queue: 'queues show what was announced, no row goes back, and at rest they are what the database has',
  seen: 'seen marks never go back, arrive at rest, and unread counts fit them',
  revoked: 'the sockets of a removed device, an ended session and a former desk close within five seconds',
  actions: 'Close, Reopen and Block work with a gateway of the previous release',
  notifications: 'a notification is due exactly when somebody listens, and leaves the reader ten seconds',
  presence: 'presence is right after a minute',
  connected: 'every page connects when the network is well',
  errors: 'no error is unhandled',
} as const;

export type Rule = keyof typeof rules;
export type Violation = { rule: Rule; what: string; at: number };
