import { mediaCalls } from '@settee/protocol/calls/mediaCalls';
import { visitorCalls } from '@settee/protocol/calls/visitorCalls';
import { flushOutbox } from '../chat/outbox/flushOutbox.ts';
import { indexedDbOutbox } from '../chat/outbox/indexedDbOutbox.ts';
import { anonymousTokens } from '../net/anonymousTokens.ts';
import { createApi } from '../net/api.ts';
import { isChat, openWindows } from './windows.ts';

/** An open page sends by itself, over its socket: usually nothing is left to do after this. */
const HEAD_START_MS = 3_000;

/** What waits in the outbox, sent through the HTTP door. Fails when it must be tried again later. */
export async function sendUnsent(): Promise<void> {
  if ((await openWindows()).some(isChat)) await new Promise((resolve) => setTimeout(resolve, HEAD_START_MS));
  // Signed in anew each time, and only when there is something to send: the cookie may have changed since.
  const api = createApi({ ...visitorCalls, ...mediaCalls }, { tokens: anonymousTokens() });
  await flushOutbox({ outbox: indexedDbOutbox('visitor'), api });
}
