import type { VisitorConversation } from '@settee/protocol/model/conversation';
import { accessTo, conversationView, readAs } from '../access/access.ts';
import { readAuthors } from '../messages/messages.store.ts';
import { sendOverHttp } from '../messages/sendOverHttp.ts';
import type { App } from '../platform/app.ts';
import { idParam, type Routes } from '../platform/http/route.ts';
import { findStaffProfile } from '../profile/brand.store.ts';
import { addNote } from './addNote.ts';
import { readDetails } from './details.store.ts';
import { exportOwn } from './exportConversation.ts';
import { transfer } from './handOver.ts';
import { readNotes } from './notes.store.ts';
import { accessToRead, readPage } from './recordView.ts';
import { setStatus } from './status.ts';

/** One conversation: its messages, notes and details. */
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
      const { conversation } = access;
      const details = await readAs(app, access, () => readDetails(app.db, conversation));
      const profile = await findStaffProfile(app.db, conversation.profile);
      return { details: profile === undefined ? details : { ...details, profile } };
    },
    async readNotes({ caller, params }) {
      const access = await accessToRead(app, caller, idParam(params.id));
      return { notes: await readAs(app, access, () => readNotes(app.db, access.conversation.id)) };
    },
    addNote: async ({ caller, params, body }) => ({
      note: await addNote(app, caller, { conversationId: idParam(params.id), ...body }),
    }),
    transfer: ({ caller, params, body }) => transfer(app, caller, idParam(params.id), body),
    async exportOwn({ caller, params, query }) {
      const page = await exportOwn(app, caller, idParam(params.id), query.after);
      return { ...page, conversation: page.conversation as VisitorConversation };
    },
  } satisfies Partial<Routes>;
}
