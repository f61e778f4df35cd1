/** The folders and root files of server/src, from the top floor to the ground. A folder imports only lower floors. */
export const SERVER_FLOORS: string[][] = [
  ['main.ts'],
  ['start'],
  ['cli', 'cli.ts', 'gateway.ts'],
  ['live', 'doctor'],
  ['http', 'seed.ts'],
  ['actions'],
  ['jobs'],
  ['access.ts', 'adapters', 'backup', 'private'],
  ['auth'],
  ['app.ts'],
  ['log'],
  ['db'],
  ['limits', 'metrics'],
  ['config', 'caller.ts', 'ports.ts'],
];
