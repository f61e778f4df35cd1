import { hash } from 'node:crypto';
import { type Access, conversationView } from '../access.ts';

/**
 * What a visitor's screen shows of a conversation besides its messages, in short. A frame in which nothing but the
 * revision differs would tell the visitor of a hand-over, which alone looks like that; nobody else needs such a frame.
 */
export function screenOf(access: Access): string | undefined {
  if (access.side === 'owner') return undefined;
  const { rev, head, lastMessageAt, ...shown } = conversationView(access);
  return hash('sha1', JSON.stringify(shown), 'base64');
}
