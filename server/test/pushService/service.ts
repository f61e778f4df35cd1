import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Certificate } from './certificate.ts';

export type BrowserSubscription = { endpoint: string; p256dh: string; auth: string };

/** What one browser was sent: the payload as it opened it, and what the push service could read. */
export type Received = { payload: unknown; headers: IncomingHttpHeaders; bytes: number; at: number };

/** A status, or a function that answers by itself; undefined from it means the usual answer. */
export type Answer =
  | number
  | ((
      request: IncomingMessage,
      response: ServerResponse,
    ) => number | undefined | Promise<number | undefined>);

export type PushService = {
  origin: string;
  /** host:port, as PUSH_HOSTS takes it. */
  host: string;
  certificate: Certificate;
  endpointFor(name: string): string;
  /** A browser's subscription, with real keys; the same for the same name. */
  subscription(name: string): BrowserSubscription;
  received(name: string): Received[];
  /** Why requests were refused with 400 or 403: empty when all were as the RFCs want them. */
  refusals: string[];
  /** TCP connections so far, whatever came of them. */
  connections(): number;
  /** From now on, for this browser or for all; 'normally' takes it back. */
  answerWith(answer: Answer | 'normally', name?: string): void;
  stop(): Promise<void>;
};
