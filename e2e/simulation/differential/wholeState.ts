import type { Database } from '../../../server/src/db/engine/database.ts';
import type { State } from '../model/state.ts';

type Rows = readonly object[];

/** The rows of the model by table of PostgreSQL, with the names of its columns in camel case. */
const TABLES: Record<string, (state: State) => Rows> = {
  conversations: (state) => state.conversations.all(),
  messages: (state) =>
    state.messages
      .keys()
      .flatMap((conversationId) =>
        (state.messages.get(conversationId) ?? []).map((message) => ({ conversationId, ...message })),
      ),
  devices: (state) => state.devices.all(),
  invites: (state) => state.invites.all(),
  staff: (state) => state.staff.all().map(({ hasFactor: _, ...person }) => person),
  staff_sessions: (state) => state.sessions.all(),
  handlers: (state) => state.handlers.all(),
  presence: (state) => state.presence.all().map(({ key: alias, ...lease }) => ({ alias, ...lease })),
  staff_presence: (state) =>
    state.staffPresence.all().map(({ key: staffId, ...lease }) => ({ staffId, ...lease })),
  gateways: (state) => state.gateways.all(),
  blocks: (state) => state.blocks.all(),
  notes: (state) =>
    state.notes.all().map(({ handover, ...note }) => ({
      ...note,
      fromAlias: handover?.from ?? null,
      toAlias: handover?.to ?? null,
    })),
  media: (state) =>
    state.media.all().map(({ made, ...picture }) => {
      const [mediaType = null, bytes = null, width = null, height = null, thumbhash = null] = made ?? [];
      return { ...picture, mediaType, bytes, width, height, thumbhash };
    }),
  push_subscriptions: (state) => state.subscriptions.all(),
  push_due: (state) => state.pushDue.all(),
  conversation_views: (state) => state.views.all(),
  erasures: (state) =>
    state.erasures
      .keys()
      .map((conversationId) => ({ conversationId, visitors: state.erasures.get(conversationId)?.visitors })),
  deleted_conversations: (state) => state.deleted.all().map(({ by, ...row }) => ({ ...row, deletedBy: by })),
  visitor_profiles: (state) =>
    state.profiles.keys().map((visitorId) => ({ visitorId, ...state.profiles.get(visitorId) })),
  audit: (state) => state.audit.all(),
};

/** The first table that differs, with its differing rows; undefined if all are equal. */
export async function findDifference(db: Database, state: State): Promise<string | undefined> {
  for (const [table, rowsOf] of Object.entries(TABLES)) {
    const modelRows = rowsOf(state);
    const { rows } = await db.query({ text: `select * from ${table}`, name: `all ${table}` });
    const columns = Object.keys(modelRows[0] ?? {}).sort();
    const inModel = modelRows.map((row) => lineOf(row, columns)).sort();
    const inReal = (rows as Rows).map((row) => lineOf(inCamelCase(row), columns)).sort();
    const onlyReal = inReal.filter((line) => !inModel.includes(line));
    const onlyModel = inModel.filter((line) => !inReal.includes(line));
    if (onlyReal.length + onlyModel.length > 0 || inReal.length !== inModel.length)
      return [
        `the table ${table} has ${inReal.length} rows, and ${inModel.length} in the model`,
        ...onlyReal.map((line) => `PostgreSQL: ${line}`),
        ...onlyModel.map((line) => `the model:  ${line}`),
      ].join('\n');
  }
  return undefined;
}

function inCamelCase(row: object): object {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()),
      value,
    ]),
  );
}

function lineOf(row: object, columns: readonly string[]): string {
  const values: Record<string, unknown> = { ...row };
  return columns.map((column) => `${column}: ${JSON.stringify(plain(values[column]))}`).join(', ');
}

function plain(value: unknown): unknown {
  if (value instanceof Date) return value.getTime();
  if (Buffer.isBuffer(value)) return value.toString('hex');
  return Array.isArray(value) ? (value as string[]).toSorted() : value;
}
