import type { Command } from './command.ts';
export const doctor: Command = { help: 'x', options: {}, async run() {} };
