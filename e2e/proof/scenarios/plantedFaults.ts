import type { Sabotage } from '../scenario.ts';
import { ackBeforeCommit } from './ackBeforeCommit.ts';

type Fault = Pick<Sabotage, 'what' | 'patches' | 'added'>;

/** A test of a guarantee, and the faults of the product that it must notice. */
type Noticing = { guarantee: string; file: string; title: string; faults: Record<string, Fault> };

// The promises of the README.
const LOST = 'no lost messages';
const DUPLICATES = 'no duplicates';
const ORDER = 'no wrong order';
const NAMES = 'no staff names';
const ONLINE = 'no false "online"';

/** A migration after every real one. */
const migration = (sql: string) => ({ 'server/migrations/20991231000001_planted.sql': sql });

const lease = (seconds: number): Fault => ({
  what: `the lease of a person at a gateway that was killed lasts ${seconds} s`,
  patches: [
    {
      file: 'server/src/live/presence.ts',
      find: 'this.#store.hold($DB, $GATEWAY, $ALL, $SECONDS)',
      within: '#hold',
      put: `this.#store.hold($DB, $GATEWAY, $ALL, ${seconds})`,
    },
  ],
});

export const noticing: readonly Noticing[] = [
  {
    guarantee: LOST,
    file: 'server/test/platform/ownPostgres.int.test.ts',
    title: '[MSG-04] a message gets no ack, and an action or a command no success, until it is confirmed',
    faults: {
      'ack-before-commit': {
        what: 'the gateway acknowledges before PostgreSQL has confirmed the commit',
        patches: [ackBeforeCommit(50)],
      },
      'ack-without-standby': {
        what: 'a cancelled wait for the standby counts as confirmed',
        patches: [
          {
            file: 'server/src/platform/db/confirmed.ts',
            find: 'if ($WARNING !== undefined) throw $ERROR;',
            within: 'confirmed',
            put: '',
          },
        ],
      },
      'asynchronous-commit': {
        what: 'messages are stored with synchronous_commit=off',
        patches: [
          {
            file: 'server/src/messages/appendCall.store.ts',
            find: "[$$$SETTINGS].map($ITEM).join(' ')",
            put: "[$$$SETTINGS, 'synchronous_commit=off'].map($ITEM).join(' ')",
          },
        ],
      },
    },
  },
  {
    guarantee: LOST,
    file: 'web/src/chat/model/conversation.property.test.ts',
    title: 'any order of deliveries, repeats and losses ends in the same log after a resume',
    faults: {
      'lost-messages-are-not-sent-again': {
        what: 'after a lost connection, the page does not send again what got no answer',
        patches: [
          {
            file: 'web/src/chat/model/conversation.ts',
            find: "$PENDING.state === 'flying' ? $WAITING : $PENDING",
            within: 'onNewLine',
            put: '$PENDING',
          },
        ],
      },
    },
  },
  {
    guarantee: LOST,
    file: 'server/test/platform/ports/mediaStore.int.test.ts',
    title: 'an image that counts as stored is on the disk, with its name and its folders',
    faults: {
      'image-not-synced': {
        what: 'the bytes of an image are not on the disk yet when it counts as stored',
        patches: [
          {
            file: 'server/src/media/diskMedia.adapter.ts',
            find: 'await $FILE.sync()',
            within: 'write',
            put: '',
          },
        ],
      },
      'folder-not-synced': {
        what: 'the name of an image is not on the disk yet when it counts as stored',
        patches: [
          {
            file: 'server/src/media/diskMedia.adapter.ts',
            find: 'await $FOLDER.sync()',
            within: 'syncFolder',
            put: '',
          },
        ],
      },
    },
  },
  {
    guarantee: DUPLICATES,
    file: 'server/test/messages/append.int.test.ts',
    title: '[MSG-01] a repeat is the same message: same number, same time, one row, also among new messages',
    faults: {
      'unique-key-dropped': {
        what: 'a repeated id is stored again',
        added: migration('alter table messages drop constraint messages_once;'),
      },
    },
  },
  {
    guarantee: DUPLICATES,
    file: 'web/src/chat/model/conversation.test.ts',
    title: 'text is cleaned, shown at once, sent only when stored, and becomes the numbered message',
    faults: {
      'own-message-shown-twice': {
        what: 'a message that was stored also stays among those being sent',
        patches: [
          {
            file: 'web/src/chat/model/conversation.ts',
            find: '!$LOGGED.has($P.id) && $STORED',
            within: 'settle',
            put: 'true',
          },
        ],
      },
    },
  },
  {
    guarantee: DUPLICATES,
    file: 'web/src/chat/model/conversation.property.test.ts',
    title: 'any order of deliveries, repeats and losses ends in the same log after a resume',
    faults: {
      'known-messages-shown-again': {
        what: 'a page shows a message again that arrives again',
        patches: [
          {
            file: 'web/src/chat/model/log.ts',
            find: 'if ($KNOWN || $ASIDE) continue;',
            within: 'join',
            put: '',
          },
          {
            file: 'web/src/chat/model/log.ts',
            find: '$MESSAGE.seq === $LAST + 1',
            within: 'join',
            put: '$MESSAGE.seq <= $LAST + 1',
          },
        ],
      },
    },
  },
  {
    guarantee: ORDER,
    file: 'server/test/messages/append.int.test.ts',
    title: '[MSG-01] a repeat is the same message: same number, same time, one row, also among new messages',
    faults: {
      'batch-reversed': {
        what: 'the appender stores the newest of the waiting messages first',
        patches: [
          {
            file: 'server/src/messages/appender.store.ts',
            find: '$WAITING.splice(0, $COUNT).sort($ORDER)',
            within: '#takeBatch',
            put: '$WAITING.splice(0, $COUNT).reverse().sort($ORDER)',
          },
        ],
      },
    },
  },
  {
    guarantee: ORDER,
    file: 'server/test/messages/append.int.test.ts',
    title:
      '[MSG-05] the messages behind one on a connection that broke fail too, and all are counted as possibly stored',
    faults: {
      'only-the-batch-fails': {
        what: 'after a failed call the appender goes on with the messages behind it',
        patches: [
          {
            file: 'server/src/messages/appender.store.ts',
            find: '[...$BATCH, ...$WAITING.splice(0)]',
            put: '[...$BATCH]',
          },
        ],
      },
    },
  },
  {
    guarantee: ORDER,
    file: 'server/test/live/live.int.test.ts',
    title: '[MSG-05] after a refused send, no later one overtakes it',
    faults: {
      'new-message-before-refused': {
        what: 'a new message goes before a refused one',
        patches: [
          {
            file: 'server/src/live/frames.ts',
            find: '$REFUSED !== undefined && $REFUSED.ids[0] !== $ID',
            within: 'send',
            put: '$REFUSED !== undefined && $REFUSED.ids[0] !== $ID && $REFUSED.ids.includes($ID)',
          },
        ],
      },
      'refused-messages-in-any-order': {
        what: 'a message behind a refused one goes first when both are sent again',
        patches: [
          {
            file: 'server/src/live/frames.ts',
            find: '$REFUSED !== undefined && $REFUSED.ids[0] !== $ID',
            within: 'send',
            put: '$REFUSED !== undefined && !$REFUSED.ids.includes($ID)',
          },
        ],
      },
    },
  },
  {
    guarantee: ORDER,
    file: 'web/src/chat/model/conversation.property.test.ts',
    title: 'any order of deliveries, repeats and losses ends in the same log after a resume',
    faults: {
      'gap-not-filled': {
        what: 'a page shows the message after a gap as the next one',
        patches: [
          {
            file: 'web/src/chat/model/log.ts',
            find: '$MESSAGE.seq === $LAST + 1',
            within: 'join',
            put: '$MESSAGE.seq > $LAST',
          },
        ],
      },
    },
  },
  {
    guarantee: NAMES,
    file: 'server/test/access/identityFirewall.int.test.ts',
    title:
      '[PRIVACY-15] nothing that a visitor can reach reveals who answers: calls, frames, pushes, pages, images, headers',
    faults: {
      'name-in-a-frame': {
        what: 'a visitor’s socket gets the frame with the name of the person who replies',
        patches: [
          {
            file: 'server/src/live/room.ts',
            find: "$SIDE === 'owner' && $CALLER.kind === 'staff' && $CALLER.staffId !== $STAFF",
            within: 'sendActivity',
            put: '$CALLER !== undefined',
          },
        ],
      },
      'alias-in-the-conversation': {
        what: 'a visitor’s view of the conversation contains the desk’s alias',
        patches: [
          {
            file: 'server/src/access/access.ts',
            find: 'const { handlerAlias, $$$OTHERS } = $CONVERSATION;',
            within: 'conversationView',
            put: 'const { $$$OTHERS } = $CONVERSATION; const { handlerAlias } = $CONVERSATION;',
          },
        ],
      },
      'alias-in-a-typing-frame': {
        what: 'the typing frame that visitors get contains the desk’s alias',
        patches: [
          {
            file: 'server/src/live/room.ts',
            find: "encode({ type: 'typing', $$$REST })",
            within: 'sendTyping',
            put: "encode({ type: 'typing', $$$REST, alias: this.handlerAlias } as never)",
          },
        ],
      },
    },
  },
  {
    guarantee: NAMES,
    file: 'server/test/access/profileFirewall.int.test.ts',
    title:
      '[PRIVACY-19] a visitor receives nothing of another profile: pages, calls, frames, notifications, mails',
    faults: {
      'changes-of-every-profile': {
        what: 'a change of a profile reaches the visitors of every profile',
        patches: [
          {
            file: 'server/src/live/hub.ts',
            find: '[...this.connections].filter($OF_PROFILE)',
            within: '#connectionsOf',
            put: '[...this.connections]',
          },
        ],
      },
    },
  },
  {
    guarantee: ONLINE,
    file: 'server/src/live/live.test.ts',
    title: '[QUEUE-28] a person at a gateway that was killed shows as online for at most a minute',
    faults: { 'lease-of-75-seconds': lease(75), 'lease-of-600-seconds': lease(600) },
  },
  {
    guarantee: ONLINE,
    file: 'server/test/live/live.int.test.ts',
    title: '[QUEUE-27] the presence of a killed gateway ends with its lease',
    faults: {
      'endless-lease': {
        what: 'a lease that ended counts for another hour',
        added: migration(`
          create function keep_presence() returns trigger language plpgsql as $$
          begin
            new.expires_at := new.expires_at + interval '1 hour';
            return new;
          end $$;
          create trigger keep_presence before insert or update on presence for each row
          execute function keep_presence();`),
      },
    },
  },
  {
    guarantee: ONLINE,
    file: 'server/test/conversations/queue.int.test.ts',
    title: '[QUEUE-27] [D-03] a handler at a desk shows as online everywhere, and leaving shows too',
    faults: {
      'presence-stays': {
        what: 'a person who left stays online',
        patches: [
          {
            file: 'server/src/live/presence.ts',
            find: 'await this.#store.end($$$);',
            within: '#update',
            put: '',
          },
        ],
      },
    },
  },
  {
    guarantee: ONLINE,
    file: 'server/test/staff/availability.int.test.ts',
    title: '[QUEUE-28] away reaches visitors everywhere at once, and all windows of that person',
    faults: {
      'away-counts-as-online': {
        what: 'a person who is away counts as online',
        patches: [
          {
            file: 'server/src/live/connection.ts',
            find: '$IS_NOT_STAFF || $CALLER.away',
            within: 'staffedDesks',
            put: '$IS_NOT_STAFF',
          },
        ],
      },
    },
  },
  {
    guarantee: 'only own pages',
    file: 'server/test/live/live.int.test.ts',
    title: '[AUTH-06] a socket needs our Origin, a hello first and a valid token',
    faults: {
      'socket-without-origin': {
        what: 'a socket without an Origin is accepted',
        patches: [
          {
            file: 'server/src/live/socketServer.ts',
            find: '!isOwnOrigin($APP, $ORIGIN)',
            put: '$ORIGIN !== undefined && !isOwnOrigin($APP, $ORIGIN)',
          },
        ],
      },
    },
  },
  {
    guarantee: 'unknown accounts answer alike',
    file: 'server/test/platform/auth.test.ts',
    title: '[AUTH-01] an unknown account costs the same verification as a known one',
    faults: {
      'cheap-unknown-account': {
        what: 'the hash for unknown accounts uses a sixth of the memory',
        patches: [
          {
            file: 'server/src/staff/passwords.ts',
            find: '$STORED ?? $UNKNOWN',
            within: 'passwordMatches',
            put: "$STORED ?? $UNKNOWN.replace('m=19456', 'm=3242')",
          },
        ],
      },
      'unknown-account-not-verified': {
        what: 'nothing is verified for unknown accounts',
        patches: [
          {
            file: 'server/src/staff/passwords.ts',
            find: 'await $VERIFY($STORED ?? $UNKNOWN, $PASSWORD).catch($FAILED)',
            within: 'passwordMatches',
            put: '$STORED != null && $FOUND',
          },
        ],
      },
    },
  },
  {
    guarantee: 'erasing leaves nothing',
    file: 'server/test/erasure/erasure.int.test.ts',
    title: '[PRIVACY-09] erasing reaches every table and every object: only its record remains',
    faults: {
      'views-left-behind': {
        what: 'an erasure leaves who viewed the conversation',
        patches: [
          {
            file: 'server/src/erasure/erasure.store.ts',
            find: 'await eraseViews($$$);',
            within: 'eraseRows',
            put: '',
          },
        ],
      },
    },
  },
];
