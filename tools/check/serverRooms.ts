/**
 * The folders and root files of server/src, from the top line to the ground: features, then the platform. A room imports
 * only rooms of lower lines.
 */
export const SERVER_ROOMS: string[][] = [
  ['main.ts', 'cli.ts'],
  ['cli'],
  ['start', 'doctor', 'cells'],
  ['jobs', 'backup'],
  ['live', 'invites', 'erasure'],
  ['media', 'search', 'visitors'],
  ['conversations', 'private', 'reconcileSecret.ts'],
  ['staff/signIn', 'apiKeys', 'webhooks'],
  ['staff/account', 'staff/people', 'push'],
  ['staff', 'messages', 'mail'],
  ['access', 'pages', 'dashboard'],
  ['profile', 'replies', 'audit'],
  ['images'],
  ['platform/http'],
  ['platform/auth'],
  ['platform/app.ts', 'platform/adapters'],
  ['platform/log'],
  ['platform/db'],
  ['platform/limits', 'platform/metrics', 'platform/net'],
  ['platform/config', 'platform/ports'],
];
