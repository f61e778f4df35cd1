import type { Readable } from 'node:stream';
import type { Topic } from '@settee/protocol/model/management';
import type { Message } from '@settee/protocol/model/message';
import type { Note } from '@settee/protocol/model/note';
import type { PushPayload, PushSubscription } from '@settee/protocol/model/push';

/** What the server asks of the world outside PostgreSQL. Each port has one contract suite in server/test/ports. */

/**
 * Carries hints between gateways: fast, and allowed to lose. Nothing is true because it was heard
 * here. A publisher does not hear itself: what it knows, it tells its own sockets directly.
 */
export interface Bus {
  /** Subjects are dot-separated words; `pattern` may hold `*` for exactly one word. */
  subscribe(pattern: string, heard: (subject: string, payload: Uint8Array) => void): Subscription;
  publish(subject: string, payload: Uint8Array): void;
  /**
   * Resolves once everything subscribed so far will be heard, as far as that can be known; at once
   * when there is no line, and never later than half a second.
   */
  ready(): Promise<void>;
  /** Called after the line to the bus was lost and found: anything may have been missed. */
  onGap(missed: () => void): void;
  isConnected(): boolean;
  close(): Promise<void>;
}

export interface Subscription {
  end(): void;
}

/** Keeps media under the specified paths. Reading and writing go by short-lived signed addresses. */
export interface MediaStore {
  /** An address to which exactly this many bytes of this type may be PUT until `seconds` have passed. */
  signUpload(path: string, what: { type: string; bytes: number; seconds: number }): Promise<string>;
  signDownload(path: string, seconds: number): Promise<string>;
  /** The bytes, or undefined when there is nothing, or more than `maxBytes`, under the path. */
  get(path: string, maxBytes: number): Promise<Uint8Array | undefined>;
  put(path: string, body: Uint8Array, type: string): Promise<void>;
  /** The stored size and type, or undefined when there is nothing under the path. */
  head(path: string): Promise<{ bytes: number; type: string } | undefined>;
  remove(path: string): Promise<void>;
  /** All that lies under this path, as under a folder. */
  removeAll(path: string): Promise<void>;
  /** The paths of all that lies under this one, as under a folder. What is removed meanwhile may be among them. */
  listAll(path: string): AsyncIterable<string>;
}

/** A store with no server of its own: its addresses lead to /media on the gateway, which asks here. */
export interface ServedMediaStore extends MediaStore {
  /** Takes what was PUT to an address. False, and nothing stored, unless all is as it was signed. */
  receive(address: string, upload: Upload): Promise<boolean>;
  /** What a signed address leads to; undefined when there is nothing (any more). */
  open(address: string): Promise<StoredMedia | 'refused' | undefined>;
}

/** Type and size as the sender tells them, and the bytes as they come. */
export type Upload = {
  type: string | undefined;
  bytes: number | undefined;
  body: AsyncIterable<Uint8Array>;
};

export type StoredMedia = { bytes: number; type: string; body: Readable };

/** Takes notifications to the push services of browsers. */
export interface PushSender {
  /** What browsers subscribe with. */
  publicKey: string;
  /** Whether this could ever be sent to: a push service we know, keys that are keys. Looks no name up. */
  accepts(subscription: PushSubscription): boolean;
  /** Never throws. */
  send(to: PushSubscription, payload: PushPayload, options: PushOptions): Promise<PushOutcome>;
}

/** `gone`: this browser will never hear of anything there again. */
export type PushOutcome = 'sent' | 'gone' | PushFailure;

export type PushFailure = {
  /** For the log: nothing of what the other side said but its status. */
  failed: string;
  /** The same again will hardly do better: it is refused as it is. */
  refused: boolean;
  /** The push service asks not to be asked sooner. */
  retryAfterSeconds?: number;
};

/** One with the same topic takes the place of one that waits at the push service. */
export type PushOptions = { topic: string; ttlSeconds: number };

/** Where it is told what became of messages, stage by stage. There is none unless the operator asks for it. */
export interface Traces {
  /** Whether this message is traced. Depends on the id only, so that all gateways agree. */
  isSampled(messageId: string): boolean;
  /** Never throws and never waits. Spans that cannot be sent are dropped. The message's id is the trace id. */
  record(messageId: string, span: Span): void;
  close(): Promise<void>;
}

/**
 * A stage of a message's way, in milliseconds of the day. All that is ever told of a message: no text, no name, no
 * conversation. `message` is the root; whatever is told apart from it, here or at another gateway, is its child.
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
  /** `stored`, or the code with which it was refused. */
  outcome?: string;
  batchSize?: number;
  /** To how many sockets it was written. */
  sockets?: number;
  /** How this gateway learned of it. */
  heard?: 'here' | 'bus' | 'database';
  children?: Span[];
};

/** Time that tests can hold still. Durations inside PostgreSQL are measured by its own clock. */
export interface Clock {
  now(): number;
  /** Runs once after `ms`; the returned function takes it back. Never keeps the process alive. */
  after(ms: number, run: () => void): () => void;
}

export interface Random {
  bytes(length: number): Uint8Array;
  uuid(): string;
  /** A whole number from 0 to below `limit`, each as likely. */
  below(limit: number): number;
}

/** What a look at an S3 store found; settee doctor says it in words. */
export type S3Answer = {
  /** What did not work, in the words of the step; undefined when all did. */
  failed?: { step: 'write' | 'read' | 'list' | 'delete' | 'missing'; why: unknown };
  /** Anybody can read what lies there, without a signature. */
  public?: 'objects' | 'list';
  cors: 'allowed' | 'refused' | 'unreachable';
};

/**
 * What actions tell the rest of the world after the commit, and never before. Losing an announcement
 * delays a screen until the sweep finds the change; it loses nothing.
 */
export interface Announce {
  messageStored(stored: StoredMessage): void;
  /** Name, status, seen marks, alias: anything about the conversation but a message. */
  conversationChanged(conversation: { id: string; handlerAlias: string }): void;
  /** Something in the desk's queue that only the desk may know of. */
  queueRowChanged(conversation: { id: string; handlerAlias: string }): void;
  /** For the consoles at this desk alone: nothing of a note may reach a visitor. */
  noteAdded(added: { note: Note; handlerAlias: string }): void;
  /** The conversation left one desk for another, with a note. */
  handedOver(moved: { id: string; from: string; to: string; note: Note }): void;
  /**
   * Someone's right to be connected or to watch may have ended, or whether they are there for visitors. All that leads
   * here is in the audit log, as what changes the brand is.
   */
  accessChanged(): void;
  presenceChanged(): void;
  brandChanged(): void;
  /** Something that only administrators' pages show: also 'audit', if there is a new line in the log. */
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
 * Refuses a path that a file system or an address would read otherwise than it is written: no `..`, no
 * escape, nothing hidden. The paths are made by us, so one that fails here is a mistake or an attack.
 */
export function mediaKey(path: string): string {
  if (!isMediaKey(path)) throw new Error('not a path for media');
  return path;
}

export function isMediaKey(path: string): boolean {
  return path.length <= KEY_MAX && path.split('/').every((part) => KEY_PART.test(part));
}
