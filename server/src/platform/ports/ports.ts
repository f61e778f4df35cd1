import type { Readable } from 'node:stream';
import type { Topic } from '@settee/protocol/model/management';
import type { Message } from '@settee/protocol/model/message';
import type { MessageMedia } from '@settee/protocol/model/messageMedia';
import type { Note } from '@settee/protocol/model/note';
import type { PushPayload, PushSubscription } from '@settee/protocol/model/push';

/** Interfaces to everything outside PostgreSQL. Each port has a contract test in server/test/platform/ports. */

/**
 * Carries hints between gateways. Fast, and may lose messages. A publisher does not receive its own hints: it notifies
 * its own sockets directly.
 */
export interface Bus {
  /** Subjects consist of parts separated by dots. In `pattern`, `*` stands for exactly one part. */
  subscribe(pattern: string, listener: (subject: string, payload: Uint8Array) => void): Subscription;
  publish(subject: string, payload: Uint8Array): void;
  /**
   * Resolves when all subscriptions so far are active, as far as can be known. Resolves at once when disconnected, and
   * after half a second at the latest.
   */
  ready(): Promise<void>;
  /** Called after a reconnect: any hint may have been missed. */
  onGap(listener: () => void): void;
  isConnected(): boolean;
  close(): Promise<void>;
}

/** Each watched conversation has one, so an adapter should not wrap that of its client. */
export interface Subscription {
  unsubscribe(): void;
}

/** Stores media under the specified paths. Browsers read and write with short-lived signed URLs. */
export interface MediaStore {
  /** A URL for a PUT of exactly this size and type, valid for `seconds`. */
  signUpload(path: string, what: { type: string; bytes: number; seconds: number }): Promise<string>;
  signDownload(path: string, seconds: number): Promise<string>;
  /** Undefined when the object does not exist or has more than `maxBytes`. */
  get(path: string, maxBytes: number): Promise<Uint8Array | undefined>;
  put(path: string, body: Uint8Array, type: string): Promise<void>;
  /** Undefined when the object does not exist. */
  head(path: string): Promise<{ bytes: number; type: string } | undefined>;
  remove(path: string): Promise<void>;
  /** Removes everything under this path, like a folder. */
  removeAll(path: string): Promise<void>;
  /** All paths under this one. May include objects that are removed meanwhile. */
  listAll(path: string): AsyncIterable<string>;
}

/** A store without its own server. Its URLs point to /media on the gateway. */
export interface ServedMediaStore extends MediaStore {
  /**
   * Stores an upload, unless it does not match the signature (`refused`) or too many are in progress (`busy`). Cancels
   * an unfinished upload to the same address.
   */
  receive(address: string, upload: Upload): Promise<'stored' | 'refused' | 'busy'>;
  /** Undefined when the object does not exist. */
  open(address: string): Promise<StoredMedia | 'refused' | undefined>;
}

/** Type and size as the client claims them, and the body as a stream. */
export type Upload = {
  type: string | undefined;
  bytes: number | undefined;
  body: AsyncIterable<Uint8Array>;
  /** Ends the body early. */
  cancel(): void;
};

export type StoredMedia = { path: string; bytes: number; type: string; body: Readable };

/** Sends notifications to the push services of browsers. */
export interface PushSender {
  /** Browsers subscribe with it. */
  publicKey: string;
  /** Whether the push service is known and the keys are valid. Does no DNS lookup. */
  accepts(subscription: PushSubscription): boolean;
  /** Never throws. */
  send(to: PushSubscription, payload: PushPayload, options: PushOptions): Promise<PushOutcome>;
}

/** `gone`: the subscription has ended for good. */
export type PushOutcome = 'sent' | 'gone' | PushFailure;

export type PushFailure = {
  /** For the log. Contains only the status of the response. */
  failed: string;
  /** Retrying is unlikely to help. */
  refused: boolean;
  /** From the push service. */
  retryAfterSeconds?: number;
};

/** A new notification replaces a waiting one with the same topic. */
export type PushOptions = { topic: string; ttlSeconds: number };

/** Sends events to the webhooks of administrators. */
export interface WebhookSender {
  /** Never throws. */
  send(url: string, request: { headers: Record<string, string>; body: string }): Promise<WebhookOutcome>;
}

/** The status of the response, or why there was none. */
export type WebhookOutcome =
  | { status: number; retryAfterSeconds?: number }
  | { status: null; problem: string };
/** Hands mails to a mail server. */
export interface MailSender {
  /** Never throws. */
  send(mail: Mail): Promise<MailResult>;
  /** Connects and signs in, and sends nothing. Throws an error with the `code` of the failure. */
  verify(): Promise<void>;
}

export type Mail = {
  /** The same for every attempt, so that mail programs can recognise a mail that arrives twice. */
  id?: string;
  to: string;
  /** The name of the sender. */
  fromName: string;
  subject: string;
  text: string;
  html: string;
  /** Where one click ends these mails (RFC 8058). */
  unsubscribeUrl?: string;
};

/**
 * `refused`: the mail server does not take mails for this address, and trying again does not help. `deferred`: it may
 * take the mail later.
 */
export type MailResult =
  | { outcome: 'sent' }
  | {
      outcome: 'refused' | 'deferred';
      /** Such as '550 5.1.1' or 'ETIMEDOUT'. Contains no address. */
      reason: string;
      /** The mail server got the whole mail, and did not answer. */
      maybeSent?: boolean;
    };

/** Records the stages of sampled messages. */
export interface Traces {
  /** Whether this message is traced. Depends on the id only, so that all gateways agree. */
  isSampled(messageId: string): boolean;
  /** Never throws and never waits. Spans that cannot be sent are dropped. The message's id is the trace id. */
  record(messageId: string, span: Span): void;
  close(): Promise<void>;
}

/**
 * One stage of a message, with times in milliseconds since the epoch. Contains no text, name or conversation. `message`
 * is the root span; all others are its children, also those from other gateways.
 */
export type Span = {
  name:
    | 'message'
    | 'browser.outbox'
    | 'gateway.send'
    | 'gateway.wait for batch'
    | 'postgres.append'
    | 'gateway.ack'
    | 'gateway.deliver';
  start: number;
  end: number;
  side?: 'visitor' | 'owner';
  /** `stored`, or the error code. */
  outcome?: string;
  batchSize?: number;
  sockets?: number;
  /** Where the delivering gateway got the message from. */
  heard?: 'here' | 'bus' | 'database';
  children?: Span[];
};

/** Tests can replace it. Durations inside PostgreSQL are measured with its own clock. */
export interface Clock {
  now(): number;
  /** Runs once after `ms`; the returned function cancels it. Never keeps the process alive. */
  after(ms: number, run: () => void): () => void;
}

export interface Random {
  bytes(length: number): Uint8Array;
  uuid(): string;
  /** A uniformly distributed integer from 0 to below `limit`. */
  below(limit: number): number;
}

/** The result of testing an S3 store; settee doctor prints it. */
export type S3Answer = {
  /** The first failed step. */
  failed?: { step: 'write' | 'read' | 'list' | 'delete' | 'missing'; why: unknown };
  /** What can be read without a signature. */
  public?: 'objects' | 'list';
  cors: 'allowed' | 'refused' | 'unreachable';
};

/**
 * Actions publish changes here after the commit, and never before; `audited` does it for what follows from an audit
 * entry. A lost announcement only delays a screen until the sweep finds the change.
 */
export interface Announce {
  messageStored(stored: StoredMessage): void;
  /** Any change of a conversation except a message: name, status, seen marks, alias. */
  conversationChanged(conversation: { id: string; handlerAlias: string }): void;
  /** A change in the desk's queue that visitors must not notice. */
  queueRowChanged(conversation: { id: string; handlerAlias: string }): void;
  /** For the consoles at this desk only. Notes must not reach visitors. */
  noteAdded(added: { note: Note; handlerAlias: string }): void;
  /** The conversation moved to another desk, with a note. */
  handedOver(moved: { id: string; from: string; to: string; note: Note }): void;
  /** Someone's access or availability may have changed. */
  accessChanged(): void;
  presenceChanged(): void;
  brandChanged(): void;
  /** A change that only admin pages show. */
  managementChanged(...topics: Topic[]): void;
}

export type StoredMessage = {
  message: Message;
  handlerAlias: string;
  /** The conversation's unread count and revision after this message. */
  unread: number;
  rev: number;
};

const KEY_MAX = 512;
const KEY_PART = /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/;

/**
 * Throws for a path that a file system or a URL would interpret: no `..`, no escapes, no hidden files. We create the
 * paths, so an invalid one is a bug or an attack.
 */
export function mediaKey(path: string): string {
  if (!isMediaKey(path)) throw new Error('invalid media path');
  return path;
}

export function isMediaKey(path: string): boolean {
  return path.length <= KEY_MAX && path.split('/').every((part) => KEY_PART.test(part));
}

/**
 * Headers of media for browsers. Opened directly, an upload must not act as a page; the browser saves it under our name.
 * It keeps no copy. The name needs no quotes, because the path has no special characters.
 */
export function downloadHeaders(path: string): Record<string, string> {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return { 'content-disposition': `attachment;filename=${name}`, 'cache-control': 'no-store' };
}

/** A message to be appended. All fields but text and id come from a verified caller. */
export type Draft = {
  conversationId: string;
  id: string;
  text: string;
  fromOwner: boolean;
  authorId: string;
  /** The staff member's desk; null for a visitor or an administrator. */
  alias: string | null;
  /** The last number that staff had seen when writing; null disables the check, as for visitors. */
  after: number | null;
  /** The image that it carries instead of text. */
  mediaId: string | null;
  /** Measures a sampled message. */
  span?: { dequeued(batchSize: number): void; committed(): void } | undefined;
};

export type AppendResult =
  | {
      outcome: 'stored';
      seq: number;
      createdAt: number;
      unread: number;
      handlerAlias: string;
      rev: number;
      /** The image; undefined for a text. */
      media: MessageMedia | undefined;
    }
  | { outcome: 'repeated'; seq: number; createdAt: number }
  | { outcome: 'idReused' | 'closed' | 'outdated' | 'mediaRefused' | 'notFound' };

/** Stores messages in batches. */
export interface Appender {
  append(draft: Draft): Promise<AppendResult>;
  /** Whether a message of this side should be refused now, because it would wait too long. */
  isOverloaded(conversationId: string, side: 'visitor' | 'owner'): boolean;
  /** Whether background work on the database should wait. */
  isBusy(): boolean;
  close(): Promise<void>;
}
