import type { IncomingMessage, ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import type { BrowserSubscription, PushService, Received } from './service.ts';

const BROWSER = /^\/browsers\/([^/]+)$/;

/** Lets another process use the service, because browser tests run in separate processes. */
export async function answerRemote(
  service: PushService,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<boolean> {
  const name = decodeURIComponent(BROWSER.exec(request.url ?? '')?.[1] ?? '');
  if (name === '') return false;
  if (request.method === 'PUT') {
    const { answer } = (await json(request)) as { answer: number | 'normally' };
    service.answerWith(answer, name);
  }
  const known = { subscription: service.subscription(name), received: service.received(name) };
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(known));
  return true;
}

export type RemotePushService = {
  /** A browser's subscription with real keys; the same for the same name. */
  subscription(name: string): Promise<BrowserSubscription>;
  received(name: string): Promise<Received[]>;
  answerWith(answer: number | 'normally', name: string): Promise<void>;
};

/** The service that `npm run e2e` has started (PUSH_SERVICE_URL), with the same methods as the local one. */
export function pushServiceAt(origin: string): RemotePushService {
  const ask = async (name: string, init: RequestInit = {}) => {
    const answer = await fetch(`${origin}/browsers/${encodeURIComponent(name)}`, init);
    return (await answer.json()) as { subscription: BrowserSubscription; received: Received[] };
  };
  return {
    subscription: async (name) => (await ask(name)).subscription,
    received: async (name) => (await ask(name)).received,
    answerWith: async (answer, name) => {
      await ask(name, { method: 'PUT', body: JSON.stringify({ answer }) });
    },
  };
}
