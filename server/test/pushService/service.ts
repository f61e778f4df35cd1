import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Certificate } from './certificate.ts';

export type BrowserSubscription = { endpoint: string; p256dh: string; auth: string };

/** What one browser received: the decrypted payload, and what the push service could read. */
export type Received = { payload: unknown; headers: IncomingHttpHeaders; bytes: number; at: number };

/** A status, or a function that answers by itself; if it returns undefined, the usual answer is sent. */
export type Answer =
  | number
  | ((
      request: IncomingMessage,
      response: ServerResponse,
    ) => number | undefined | Promise<number | undefined>);

export type PushService = {
  origin: string;
  /** host:port, in the format of PUSH_HOSTS. */
  host: string;
  certificate: Certificate;
  endpointFor(name: string): string;
  /** A browser's subscription with real keys; the same for the same name. */
  subscription(name: string): BrowserSubscription;
  received(name: string): Received[];
  /** Why requests were refused with 400 or 403; empty if all followed the RFCs. */
  refusals: string[];
  /** All TCP connections so far. */
  connections(): number;
  /** Changes the answer for this browser or for all; 'normally' resets it. */
  answerWith(answer: Answer | 'normally', name?: string): void;
  stop(): Promise<void>;
};
