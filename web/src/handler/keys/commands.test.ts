import { expect, test } from 'vitest';
import { commandRegistry } from './commands.ts';

test('a pick runs the current command, and nothing once it is no longer offered', () => {
  const ran: string[] = [];
  const command = (id: string, what: string) => ({ id, name: id, run: () => void ran.push(what) });
  const registry = commandRegistry();
  const leave = registry.offer(() => [command('close', 'the chat before')]);
  leave();
  const leaveThis = registry.offer(() => [command('reply', 'reply'), command('close', 'this chat')]);
  registry.run('close');
  leaveThis();
  registry.offer(() => [command('reply', 'reply')]);
  registry.run('close');
  expect(ran).toEqual(['this chat']);
});
