import * as close from '../../protocol/src/frames/down.ts';
import { CloseReason, type Down, VisitorDown } from '../../protocol/src/frames/down.ts';
import { StaffDown } from '../../protocol/src/frames/staffDown.ts';
import { FRAME_MAX_BYTES, Up } from '../../protocol/src/frames/up.ts';
import { PROTOCOL_VERSION } from '../../protocol/src/frames/version.ts';
import { withShapeComments } from './comments.ts';
import type { ComponentName } from './components.ts';
import { describe, describeComponents, type Json } from './schemas.ts';

/** What a client may say. A frame without a line does not compile. */
export const upFrames: Record<Up['type'], string> = {
  hello: 'Opens every socket, within ten seconds; answered by `welcome`.',
  renew: 'A fresh ID token for the same person.',
  watch: 'Asks for a conversation and all that happens in it; answered by `watched`.',
  unwatch: 'No longer.',
  watchQueue: 'Staff: the open conversations of one’s desk; answered by `queue`, then `queueChange`.',
  watchManagement: 'Administrators: what changes anywhere; `managementChanged`, again and again.',
  send: 'Stores a message; answered by `ack` or `refused`. The same id in every retry.',
  sendMedia: 'The same for an image that is ready.',
  range: 'Fills a gap; answered by `messages`.',
  typing: 'Somebody is typing; every 3 s at most.',
  seen: 'The caller’s side has seen up to this number.',
  attend: 'Staff: views, replies in or left a conversation that is watched.',
  ping: 'Is the line alive? Answered by `pong`.',
};

/** What the server may say. */
export const downFrames: Record<Down['type'], string> = {
  welcome: 'Who the server takes the caller for, and the public profile.',
  watched: 'A conversation and a page of its messages.',
  message: 'A new message, in the order of its number.',
  ack: 'Stored: the transaction is committed.',
  refused: 'Not done; with an id, that `send`.',
  messages: 'The range that was asked for.',
  conversation: 'Something other than a message changed; the higher `rev` wins.',
  gone: 'The conversation is no longer the caller’s to see.',
  typing: 'The other side types; forget it after 5 s.',
  presence: 'Whether somebody is there.',
  brand: 'The public profile changed.',
  pong: 'The line is alive.',
  queue: 'Staff: the open conversations of the desk.',
  queueChange: 'Staff: rows that came or changed, and those that left.',
  visitors: 'Staff: whose visitors opened a page or left their last one.',
  note: 'Staff: a new internal note.',
  colleague: 'Staff: somebody else is in the conversation.',
  availability: 'Staff: whether one counts as there.',
  settings: 'Staff: from when a visitor counts as waiting.',
  managementChanged: 'Administrators: read these again.',
};

type Options = { options: readonly { entries: { type: { literal: string } } }[] };
type Message = { name: string; summary: string; contentType: string; payload: Json };

function messages(union: Options, suffix: string, words: Record<string, string>): Record<string, Message> {
  return Object.fromEntries(
    union.options.map((option) => {
      const name = option.entries.type.literal;
      const payload = describe(option as unknown as Parameters<typeof describe>[0]);
      return [
        `${name}${suffix}`,
        { name, summary: words[name] ?? '', contentType: 'application/json', payload },
      ];
    }),
  );
}

/** AsyncAPI 3: the socket as the server sees it, so a client's frames are those that it receives. */
export function frames() {
  const up = messages(Up, '', upFrames);
  const toVisitors = messages(VisitorDown, 'ToVisitor', downFrames);
  const toStaff = messages(StaffDown, 'ToStaff', downFrames);
  const all = { ...up, ...toVisitors, ...toStaff };
  const refer = (names: string[]) => names.map((name) => ({ $ref: `#/channels/live/messages/${name}` }));
  const channel = { $ref: '#/channels/live' };
  const schemas = Object.entries(describeComponents()).map(
    ([name, schema]) => [name, withShapeComments(name as ComponentName, schema)] as const,
  );
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Settee’s socket',
      version: String(PROTOCOL_VERSION),
      description: `Text frames of JSON over a WebSocket, written by \`npm run api\` from the schemas that both sides parse with. At most ${FRAME_MAX_BYTES.toLocaleString('en')} bytes up. The rules that a client keeps are in docs/protocol.md.`,
    },
    servers: { installation: { host: 'chat.example.org', protocol: 'wss' } },
    channels: {
      live: {
        address: '/live',
        description: 'The Origin must be that of the installation. The first frame is `hello`.',
        messages: Object.fromEntries(
          Object.keys(all).map((name) => [name, { $ref: `#/components/messages/${name}` }]),
        ),
      },
    },
    operations: {
      hear: { action: 'receive', channel, summary: 'What a client says.', messages: refer(Object.keys(up)) },
      tellVisitors: {
        action: 'send',
        channel,
        summary: 'What a visitor is told.',
        messages: refer(Object.keys(toVisitors)),
      },
      tellStaff: {
        action: 'send',
        channel,
        summary: 'What staff are told.',
        messages: refer(Object.keys(toStaff)),
      },
    },
    components: { messages: all, schemas: Object.fromEntries(schemas) },
    'x-close-codes': {
      ...Object.fromEntries(Object.entries(close).filter(([name]) => name.startsWith('CLOSE_'))),
      reasons: CloseReason.options,
    },
  };
}
