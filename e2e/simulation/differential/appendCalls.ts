import type { AppendResult, Draft, Row } from '../../../server/src/db/message/appendCall.ts';
import type { Call, Draw, Side } from './call.ts';
import type { Drawing } from './drawing.ts';

const UNIQUE_VIOLATION = '23505';

/** A new message, a repeat, or an id with other content. */
function drawDraft(drawing: Drawing): Draft {
  const { random, state } = drawing;
  const conversationId = drawing.conversation();
  const fromOwner = random.chance(0.4);
  const stored = state.messages.get(conversationId) ?? [];
  const repeats = stored.length > 0 && random.chance(0.25) ? random.pick(stored.slice(-6)) : undefined;
  const pictures = state.media.where((picture) => picture.conversationId === conversationId);
  const picture = pictures.length > 0 && random.chance(0.3) ? random.pick(pictures) : undefined;
  const draft: Draft = {
    conversationId,
    id: random.uuid(),
    text: picture === undefined ? drawing.text() : '',
    fromOwner,
    authorId: fromOwner ? drawing.person() : drawing.visitorOf(conversationId).visitorId,
    alias: fromOwner ? drawing.deskFor(conversationId) : null,
    after: fromOwner && random.chance(0.6) ? drawing.seq(conversationId) : null,
    mediaId: picture?.id ?? null,
  };
  // Usually from whoever uploaded it.
  if (picture !== undefined && random.chance(0.8)) {
    const { authorId } = picture;
    Object.assign(draft, { authorId, fromOwner: picture.fromOwner, alias: null, after: null });
  }
  if (repeats !== undefined) {
    const { id, text, mediaId, authorId } = repeats;
    const isOther = random.chance(0.2);
    Object.assign(draft, { id, ...(!isOther && { text, mediaId, authorId, fromOwner: repeats.fromOwner }) });
    if (!draft.fromOwner) Object.assign(draft, { alias: null, after: null });
  }
  return draft;
}

/** As the appender makes its batches: see takeBatch in server/src/db/message/appender.ts. */
function drawBatch(drawing: Drawing): Draft[] {
  const { random } = drawing;
  const size = random.chance(0.4) ? 1 : random.whole(2, 7);
  const batch: Draft[] = [];
  while (batch.length < size) {
    const draft = drawDraft(drawing);
    const { id, mediaId, conversationId, after } = draft;
    const isRefused = batch.some(
      (other) =>
        other.id === id ||
        (mediaId !== null && other.mediaId === mediaId) ||
        (after !== null && other.fromOwner && other.conversationId === conversationId),
    );
    if (isRefused) break;
    batch.push(draft);
  }
  return batch.sort((a, b) =>
    a.conversationId < b.conversationId ? -1 : Number(a.conversationId > b.conversationId),
  );
}

async function append(side: Side, drafts: readonly Draft[], lookUp: boolean, connection = 0) {
  const results: AppendResult[] = [];
  const batch = drafts.map((draft, item) => ({
    draft,
    resolve(result: AppendResult) {
      results[item] = result;
    },
  }));
  const client = side.connections[connection];
  if (client === undefined) throw new Error('too few connections');
  const rows = await side.f.callAppend(client, batch, lookUp);
  side.f.settle(batch, rows);
  return { results, rows: rows.map(inWholeMs).sort(([a], [b]) => a - b) };
}

function inWholeMs([item, outcome, seq, createdMs, ...rest]: Row) {
  return [item, outcome, seq, createdMs === null ? null : Math.round(createdMs), ...rest] as Row;
}

const appendBatch: Draw = (drawing): Call => {
  const drafts = drawBatch(drawing);
  const lookUp = drawing.random.chance(0.3);
  return {
    name: lookUp ? 'append with look-up' : 'append',
    args: drafts,
    async run(side) {
      try {
        return await append(side, drafts, lookUp);
      } catch (error) {
        if ((error as { code?: string }).code !== UNIQUE_VIOLATION || lookUp) throw error;
        return { violated: await append(side, drafts, true) };
      }
    },
  };
};

/** One of them stores it. It does not matter which. */
const appendConcurrently: Draw = (drawing): Call => {
  const draft = drawDraft(drawing);
  return {
    name: 'append concurrently',
    args: [draft],
    async run(side) {
      const attempts = side.connections.map(async (_, connection) => {
        const asked = [{ ...draft }];
        return append(side, asked, false, connection).catch(() => append(side, asked, true, connection));
      });
      const outcomes = (await Promise.all(attempts)).flatMap(({ results }) => results);
      return outcomes.map((each) => JSON.stringify(each)).sort();
    },
  };
};

export const appendCalls: [weight: number, draw: Draw][] = [
  [80, appendBatch],
  [8, appendConcurrently],
];
