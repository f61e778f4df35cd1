import * as close from '../../protocol/src/frames/down.ts';
import { CloseReason, type Down, VisitorDown } from '../../protocol/src/frames/down.ts';
import { StaffDown } from '../../protocol/src/frames/staffDown.ts';
import { FRAME_MAX_BYTES, Up } from '../../protocol/src/frames/up.ts';
import { PROTOCOL_VERSION } from '../../protocol/src/frames/version.ts';
import { type WebhookEvent, WebhookPayload } from '../../protocol/src/model/webhook.ts';
import { webhookTexts } from '../../protocol/src/texts/webhookTexts.ts';
import { componentsOf, describe, type Json } from './schemas.ts';

/** The events of webhooks. docs/integrations.md has the rules for receivers. */
export const webhookEvents: { type: WebhookEvent; summary: string; schema: Json }[] =
  WebhookPayload.options.map((option) => {
    const type = option.entries.type.literal;
    return { type, summary: `${webhookTexts.eventTexts[type]}.`, schema: describe(option) };
  });

const HEADERS = {
  'webhook-id': 'Of the event: the same in every attempt. Use it to ignore repeats.',
  'webhook-timestamp': 'Time of the attempt, in seconds since 1970.',
  'webhook-signature': 'One or two signatures, separated by a space: `v1,` and the HMAC-SHA256 in base64.',
};

/** For `webhooks` of OpenAPI 3.1: the requests that Settee sends. */
export function openApiWebhooks() {
  return Object.fromEntries(
    webhookEvents.map(({ type, summary, schema }) => [
      type,
      {
        post: {
          summary,
          parameters: Object.entries(HEADERS).map(([name, description]) => ({
            name,
            in: 'header',
            required: true,
            description,
            schema: { type: 'string' },
          })),
          requestBody: { required: true, content: { 'application/json': { schema } } },
          responses: {
            '2XX': { description: 'Accepted. Any other response, or none within ten seconds, is a failure.' },
            410: { description: 'Settee disables the webhook.' },
          },
        },
      },
    ]),
  );
}

/** Frames from a client. A frame without a line does not compile. */
const upFrames: Record<Up['type'], string> = {
  hello: 'Opens every socket, within ten seconds; answered by `welcome`.',
  renew: 'A new ID token for the same person.',
  watch: 'Subscribes to a conversation; answered by `watched`.',
  unwatch: 'Ends the subscription.',
  watchQueue:
    'Staff: subscribes to the open conversations of the desk; answered by `queue`, then `queueChange`.',
  queuePage: 'Staff: requests the next rows of a list of the watched queue; answered by `queuePage`.',
  watchManagement:
    'Administrators: subscribes to changes of all desks; answered by `managementChanged`, repeatedly.',
  send: 'Stores a message; answered by `ack` or `refused`. Use the same id in every retry.',
  sendMedia: 'Sends an image that is ready.',
  range: 'Requests missing messages; answered by `messages`.',
  typing: 'The caller is typing. At most every 3 s.',
  seen: 'The caller’s side has seen up to this number.',
  attend: 'Staff: the caller views, replies in or left a watched conversation.',
  ping: 'Checks the connection; answered by `pong`.',
};

/** Frames from the server. */
const downFrames: Record<Down['type'], string> = {
  welcome: 'The caller’s identity and the public profile.',
  watched: 'A conversation and a page of its messages.',
  message: 'A new message, in the order of its number.',
  ack: 'Stored: the transaction is committed.',
  refused: 'Not accepted. The id, if any, is that of the `send`.',
  messages: 'The requested range.',
  conversation: 'Something other than a message changed; the higher `rev` wins.',
  gone: 'The caller may no longer see the conversation.',
  typing: 'The other side is typing. Valid for 5 s.',
  presence: 'Whether the other side is online.',
  brand: 'The public profile changed.',
  pong: 'The connection works.',
  queue: 'Staff: the open conversations of the desk.',
  queuePage: 'Staff: the requested rows of the queue.',
  queueChange: 'Staff: rows that were added, changed or removed.',
  visitors: 'Staff: conversations whose visitors came online or went offline.',
  note: 'Staff: a new internal note.',
  colleague: 'Staff: another staff member is in the conversation.',
  availability: 'Staff: whether the caller counts as available.',
  settings: 'Staff: after how long a visitor counts as waiting.',
  profiles: 'Staff: the profiles of the caller’s desks changed.',
  managementChanged: 'Administrators: read these lists again.',
};

type Options = { options: readonly { entries: { type: { literal: string } } }[] };
type Message = { name: string; summary: string; contentType: string; payload: Json };

function messages(
  union: Options,
  suffix: string,
  summaries: Record<string, string>,
): Record<string, Message> {
  return Object.fromEntries(
    union.options.map((option) => {
      const name = option.entries.type.literal;
      const payload = describe(option as unknown as Parameters<typeof describe>[0]);
      return [
        `${name}${suffix}`,
        { name, summary: summaries[name] ?? '', contentType: 'application/json', payload },
      ];
    }),
  );
}

/** AsyncAPI 3, from the server's side: `receive` lists the frames of a client. */
export function frames() {
  const up = messages(Up, '', upFrames);
  const toVisitors = messages(VisitorDown, 'ToVisitor', downFrames);
  const toStaff = messages(StaffDown, 'ToStaff', downFrames);
  const all = { ...up, ...toVisitors, ...toStaff };
  const events = Object.fromEntries(
    webhookEvents.map(({ type, summary, schema }) => [
      type,
      { name: type, summary, contentType: 'application/json', payload: schema },
    ]),
  );
  const operation = (action: 'receive' | 'send', summary: string, listed: Record<string, Message>) => ({
    action,
    channel: { $ref: '#/channels/live' },
    summary,
    messages: Object.keys(listed).map((name) => ({ $ref: `#/channels/live/messages/${name}` })),
  });
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Settee’s socket and webhooks',
      version: String(PROTOCOL_VERSION),
      description: `JSON text frames over a WebSocket, generated by \`npm run api\` from the schemas that both sides parse with. A client frame has at most ${FRAME_MAX_BYTES.toLocaleString('en')} bytes. docs/protocol.md has the rules for clients.`,
    },
    servers: { installation: { host: 'chat.example.org', protocol: 'wss' } },
    channels: {
      live: {
        address: '/live',
        description: 'The Origin must be that of the installation. The first frame must be `hello`.',
        messages: Object.fromEntries(
          Object.keys(all).map((name) => [name, { $ref: `#/components/messages/${name}` }]),
        ),
      },
      webhooks: {
        address: null,
        description:
          'POST requests to the addresses that administrators add. docs/integrations.md has the rules for receivers.',
        messages: Object.fromEntries(
          Object.keys(events).map((name) => [name, { $ref: `#/components/messages/${name}` }]),
        ),
      },
    },
    operations: {
      receive: operation('receive', 'Frames from a client.', up),
      sendToVisitors: operation('send', 'Frames to a visitor.', toVisitors),
      sendToStaff: operation('send', 'Frames to staff.', toStaff),
      sendToWebhooks: {
        action: 'send' as const,
        channel: { $ref: '#/channels/webhooks' },
        summary: 'Events to webhooks.',
      },
    },
    components: { messages: { ...all, ...events }, schemas: componentsOf({ ...all, ...events }) },
    'x-close-codes': {
      ...Object.fromEntries(Object.entries(close).filter(([name]) => name.startsWith('CLOSE_'))),
      reasons: CloseReason.options,
    },
  };
}
