import type { MessageMedia } from '@settee/protocol/model/messageMedia';
import type { Upload } from './upload.ts';
import type { UploadResult } from './uploadImage.ts';

/** In pick order. With `resumed`, images of an earlier visit are in the list, or no longer awaited. */
export type UploadsState = { list: readonly Upload[]; resumed: boolean };

export type UploadEvent =
  | { type: 'added'; upload: Upload }
  | { type: 'resumed' }
  | { type: 'reached'; id: string; state: 'uploading' | 'checking' }
  | { type: 'ended'; id: string; result: Exclude<UploadResult, { state: 'stopped' }> }
  | { type: 'retry'; id: string }
  | { type: 'online' }
  | { type: 'cancelled'; id: string };

export type ReadyUpload = Upload & { media: MessageMedia };

/** The new state, the uploads to start, and those that become messages now. */
export type UploadStep = { state: UploadsState; start: Upload[]; send: ReadyUpload[] };

const AGAIN = { state: 'uploading', problem: null } as const;

/** Pure reducer, like that of messages: no network, store or clock. */
export function step(before: UploadsState, event: UploadEvent): UploadStep {
  const state = fold(before, event);
  const running = new Set(before.list.filter(isRunning).map(({ id }) => id));
  const start = state.list.filter((upload) => isRunning(upload) && !running.has(upload.id));
  const send = sendable(state);
  const sent = new Set<Upload>(send);
  // Return the same list if nothing changed, to avoid a render.
  const list = sent.size > 0 ? state.list.filter((upload) => !sent.has(upload)) : state.list;
  return { state: { ...state, list }, start, send };
}

function fold(state: UploadsState, event: UploadEvent): UploadsState {
  switch (event.type) {
    case 'added':
      // An upload of an earlier visit may be added later.
      return { ...state, list: [...state.list, event.upload].sort((a, b) => a.at - b.at) };
    case 'resumed':
      return { ...state, resumed: true };
    case 'reached':
      return change(state, ({ id, state }) => id === event.id && state !== event.state, {
        state: event.state,
      });
    case 'ended': {
      const { result } = event;
      const news = result.state === 'ready' ? { media: result.media } : { isLine: false, ...result };
      return change(state, ({ id }) => id === event.id, news);
    }
    case 'retry':
      return change(state, ({ id, state }) => id === event.id && state === 'failed', AGAIN);
    case 'online':
      return change(state, ({ state, isLine }) => state === 'failed' && isLine === true, AGAIN);
    case 'cancelled':
      return { ...state, list: state.list.filter(({ id }) => id !== event.id) };
  }
}

function change(
  state: UploadsState,
  which: (upload: Upload) => boolean,
  news: Partial<Upload>,
): UploadsState {
  if (!state.list.some(which)) return state;
  return {
    ...state,
    list: state.list.map((upload) => (which(upload) ? { ...upload, ...news } : upload)),
  };
}

/** Images become messages in pick order. Failed ones do not block. */
function sendable({ list, resumed }: UploadsState): ReadyUpload[] {
  const blocking = resumed ? list.findIndex((upload) => isRunning(upload) && !isReady(upload)) : 0;
  const reached = blocking === -1 ? list : list.slice(0, blocking);
  return reached.filter(isReady);
}

function isReady(upload: Upload): upload is ReadyUpload {
  return upload.media !== undefined;
}

export function isRunning({ state }: Pick<Upload, 'state'>): boolean {
  return state === 'uploading' || state === 'checking';
}
