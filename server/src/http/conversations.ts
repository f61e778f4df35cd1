import { type Access, accessTo, conversationView, readAs } from '../access.ts';
import { addNote } from '../actions/conversation/addNote.ts';
import { transfer } from '../actions/conversation/handOver.ts';
import { accessToRead, readPage } from '../actions/conversation/recordView.ts';
import { accessToDevices, removeDevice } from '../actions/conversation/removeDevice.ts';
import { setStatus } from '../actions/conversation/status.ts';
import { sendMessage } from '../actions/message/sendMessage.ts';
import type { App } from '../app.ts';
import { deviceIdOf } from '../auth/deviceId.ts';
import { Refusal } from '../auth/refusal.ts';
import { readDetails } from '../db/conversation/details.ts';
import { readDevices } from '../db/conversation/devices.ts';
import { readNotes } from '../db/conversation/notes.ts';
import { readAuthors } from '../db/message/messages.ts';
import { MessageSpan } from '../metrics/messageSpan.ts';
import { idParam, type Routes } from './route.ts';

/** One conversation: its messages, notes, details and devices. */
export function conversationRoutes(app: App) {
  return {
    readConversation: async ({ caller, params }) => ({
      conversation: conversationView(await accessTo(app, caller, idParam(params.id))),
    }),
    async readMessages({ caller, params, query }) {
      const { conversation, messages } = await readPage(app, caller, idParam(params.id), query);
      return { messages, head: Math.max(conversation.head, messages.at(-1)?.seq ?? 0) };
    },
    async sendMessage({ caller, params, body }) {
      const access = await accessTo(app, caller, idParam(params.id));
      return sendOverHttp(app, access, { conversationId: access.conversation.id, ...body });
    },
    setStatus: async ({ caller, params, body }) => ({
      conversation: conversationView(await setStatus(app, caller, idParam(params.id), body)),
    }),
    async readAuthors({ caller, params, query }) {
      const access = await accessTo(app, caller, idParam(params.id));
      const { id } = access.conversation;
      const [from, to] = [Number(query.from), Number(query.to)];
      return { authors: await readAs(app, access, () => readAuthors(app.db, id, from, to)) };
    },
    async readDetails({ caller, params }) {
      const access = await accessTo(app, caller, idParam(params.id));
      return { details: await readAs(app, access, () => readDetails(app.db, access.conversation)) };
    },
    async readNotes({ caller, params }) {
      const access = await accessToRead(app, caller, idParam(params.id));
      return { notes: await readAs(app, access, () => readNotes(app.db, access.conversation.id)) };
    },
    addNote: async ({ caller, params, body }) => ({
      note: await addNote(app, caller, { conversationId: idParam(params.id), ...body }),
    }),
    transfer: ({ caller, params, body }) => transfer(app, caller, idParam(params.id), body),
    async readDevices({ caller, params }) {
      const access = await accessToDevices(app, caller, idParam(params.id));
      const { conversation } = access;
      const rows = await readAs(app, access, () => readDevices(app.db, conversation.id));
      const devices = rows.map(({ visitorId, ...row }) => ({
        ...row,
        id: deviceIdOf(app, conversation.id, visitorId),
        current: caller.kind === 'visitor' && caller.visitorId === visitorId,
      }));
      return { devices };
    },
    async removeDevice({ caller, params }) {
      await removeDevice(app, caller, { conversationId: idParam(params.id), deviceId: params.deviceId });
    },
  } satisfies Partial<Routes>;
}

/** Sends like the socket's `send`, with the same rate limit, for pages and service workers without a socket. */
export async function sendOverHttp(
  app: App,
  access: Access,
  draft: Parameters<typeof sendMessage>[2],
): ReturnType<typeof sendMessage> {
  const { caller } = access;
  if (app.appender.isOverloaded(draft.conversationId, access.side)) throw new Refusal('unavailable');
  if (caller.kind === 'visitor' && !app.sendBudgets.of(caller).take()) throw new Refusal('too_many');
  const span = MessageSpan.of(app.traces, { id: draft.id, side: access.side });
  try {
    const stored = await sendMessage(app, access, draft, span);
    span?.end('stored');
    return stored;
  } catch (error) {
    span?.refused(error instanceof Refusal ? error.code : 'unavailable');
    throw error;
  }
}
