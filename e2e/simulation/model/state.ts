import { defaultBrand } from '@settee/protocol/model/brand';
import type { ConversationStatus } from '@settee/protocol/model/conversation';
import type { InviteState } from '@settee/protocol/model/invite';
import type { UploadState } from '../../../server/src/media/uploads.store.ts';
import type { Profile } from '../../../server/src/profile/brand.store.ts';

/** What undoes the changes so far; undefined outside of a statement or transaction. */
type Journal = { undo: (() => void)[] | undefined };

/** Rows by key. Rows never change: an update stores another one. */
class Table<Row extends object> {
  readonly #rows = new Map<string, Row>();
  readonly #journal: Journal;

  constructor(journal: Journal) {
    this.#journal = journal;
  }

  get(key: string): Row | undefined {
    return this.#rows.get(key);
  }

  set(key: string, row: Row): void {
    this.#remember(key);
    this.#rows.set(key, row);
  }

  update(key: string, change: Partial<Row>): void {
    const row = this.#rows.get(key);
    if (row !== undefined) this.set(key, { ...row, ...change });
  }

  /** Returns false if there was none. */
  delete(key: string): boolean {
    this.#remember(key);
    return this.#rows.delete(key);
  }

  all(): Row[] {
    return [...this.#rows.values()];
  }

  keys(): string[] {
    return [...this.#rows.keys()];
  }

  where(matches: (row: Row) => boolean): Row[] {
    return this.all().filter(matches);
  }

  find(matches: (row: Row) => boolean): Row | undefined {
    for (const row of this.#rows.values()) if (matches(row)) return row;
    return undefined;
  }

  #remember(key: string): void {
    const before = this.#rows.get(key);
    this.#journal.undo?.push(() => {
      if (before === undefined) this.#rows.delete(key);
      else this.#rows.set(key, before);
    });
  }
}

/** All times are in whole milliseconds. */
export type Conversation = {
  id: string;
  inviteId: string;
  handlerAlias: string;
  visitorId: string;
  visitorName: string;
  status: ConversationStatus;
  createdAt: number;
  closedAt: number | null;
  lastMessageAt: number;
  lastSeq: number;
  unread: number;
  preview: string;
  previewFromOwner: boolean | null;
  rev: number;
  hiddenChanges: number;
  visitorSeen: number;
  ownerSeen: number;
  visitorSeenAt: number | null;
  ownerSeenAt: number | null;
  waitingSince: number | null;
  markedUnread: boolean;
  firstAskedAt: number | null;
  firstRepliedAt: number | null;
  snoozedUntil: number | null;
  snoozedSeq: number | null;
};

export type ModelMessage = {
  seq: number;
  id: string;
  fromOwner: boolean;
  authorId: string;
  createdAt: number;
  text: string;
  mediaId: string | null;
};

type Device = {
  conversationId: string;
  visitorId: string;
  credential: Buffer;
  first: boolean;
  attachedAt: number;
  revokedAt: number | null;
  browser: string;
};

type Invite = {
  id: string;
  handlerAlias: string;
  state: InviteState;
  expiresAt: number;
  codeHash: Buffer | null;
  codeNumber: number;
};

export type Person = {
  id: string;
  email: string;
  name: string;
  passwordHash: string | null;
  role: string;
  alias: string | null;
  active: boolean;
  away: boolean;
  graceFrom: number | null;
};

export type Session = {
  id: string;
  staffId: string;
  createdAt: number;
  expiresAt: number;
  lastUsedAt: number;
  secondFactorAt: number | null;
  revokedAt: number | null;
};

type ModelNote = {
  id: string;
  conversationId: string;
  afterSeq: number;
  authorId: string;
  text: string;
  createdAt: number;
  handover: { from: string; to: string } | undefined;
};

type Picture = {
  id: string;
  conversationId: string;
  fromOwner: boolean;
  authorId: string;
  state: UploadState;
  stagedPath: string;
  stagedType: string;
  stagedBytes: number;
  path: string;
  fileName: string;
  /** Type, bytes, width, height and thumbhash of a processed image. */
  made: [type: string, bytes: number, width: number, height: number, thumbhash: string] | undefined;
  messageId: string | null;
  mishaps: number;
  createdAt: number;
};

type Subscription = {
  endpoint: string;
  p256dh: string;
  auth: string;
  visitorId: string | null;
  alias: string | null;
  staffId: string | null;
  sessionId: string | null;
  refreshedAt: number;
};

type PushDue = {
  conversationId: string;
  toOwner: boolean;
  seq: number;
  dueAt: number | null;
  pushedAt: number | null;
};

type Lease = { key: string; gatewayId: string; expiresAt: number };

/** The profile of a new installation. */
const PROFILE: Profile = {
  brand: defaultBrand,
  // The comparison with PostgreSQL finds a setting that is missing here.
  settings: {
    reopenDays: 7,
    waitingMinutes: 5,
    waitingLongMinutes: 15,
    keepDays: null,
    visitorErase: true,
    language: 'en',
    visitorMail: false,
  } as Profile['settings'],
};

/** The content of PostgreSQL in memory, as far as a simulation needs it. */
export class State {
  readonly #journal: Journal = { undo: undefined };
  readonly #now: () => number;
  /** The database makes the ids of some rows. */
  newId: () => string;
  /** Adds the job that processes an image, unless there is one. The queue of jobs is not modelled. */
  addWork: (mediaId: string) => void = () => {};
  /** Told of a query that the model does not have. */
  onMissing: (error: Error) => void = () => {};
  #running: Promise<void> | undefined;

  readonly conversations = new Table<Conversation>(this.#journal);
  /** By conversation, in the order of their numbers. */
  readonly messages = new Table<readonly ModelMessage[]>(this.#journal);
  /** By conversation and visitor. */
  readonly devices = new Table<Device>(this.#journal);
  readonly invites = new Table<Invite>(this.#journal);
  readonly staff = new Table<Person>(this.#journal);
  /** By desk and person. */
  readonly deskStaff = new Table<{ alias: string; staffId: string; off: boolean }>(this.#journal);
  readonly sessions = new Table<Session>(this.#journal);
  /** The desks. */
  readonly handlers = new Table<{ alias: string }>(this.#journal);
  readonly presence = new Table<Lease>(this.#journal);
  readonly staffPresence = new Table<Lease>(this.#journal);
  readonly blocks = new Table<{ conversationId: string; reason: string; until: number | null }>(
    this.#journal,
  );
  readonly notes = new Table<ModelNote>(this.#journal);
  readonly media = new Table<Picture>(this.#journal);
  /** By endpoint. */
  readonly subscriptions = new Table<Subscription>(this.#journal);
  /** By conversation and side. */
  readonly pushDue = new Table<PushDue>(this.#journal);
  readonly erasures = new Table<{ visitors: string[] }>(this.#journal);
  profile = PROFILE;

  /** `now` is the clock of the database. */
  constructor(now: () => number, newId: () => string) {
    this.#now = now;
    this.newId = newId;
  }

  now(): number {
    return Math.floor(this.#now());
  }

  /** Runs one statement. It changes everything, or nothing if it throws. */
  statement<Result>(effect: (state: State) => Result): Promise<Result> {
    return this.transaction(async () => effect(this));
  }

  /** One at a time. Real ones only wait for each other's rows, but each of ours locks first what it then reads. */
  async transaction<Result>(work: () => Promise<Result>): Promise<Result> {
    while (this.#running !== undefined) await this.#running;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#running = promise;
    this.#journal.undo = [];
    try {
      return await work();
    } catch (error) {
      const { undo = [] } = this.#journal;
      this.#journal.undo = undefined;
      for (const step of undo.reverse()) step();
      throw error;
    } finally {
      this.#journal.undo = undefined;
      this.#running = undefined;
      resolve();
    }
  }
}

/** The key of a row with a key of two columns. */
export function both(left: string, right: string | boolean): string {
  return `${left} ${right}`;
}
