import { defaultBrand } from '@settee/protocol/model/brand';
import type { ConversationStatus } from '@settee/protocol/model/conversation';
import type { DeskHours } from '@settee/protocol/model/hours';
import type { InviteState } from '@settee/protocol/model/invite';
import type { ErasedBy } from '../../../server/src/db/conversation/erasure.ts';
import type { UploadState } from '../../../server/src/db/media/uploads.ts';
import type { Profile } from '../../../server/src/db/profile/brand.ts';
import { type Journal, Table } from './table.ts';

/** All times are in whole milliseconds. */
type Conversation = {
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
  tokenHash: Buffer;
  handlerAlias: string;
  label: string;
  state: InviteState;
  expiresAt: number;
  codeHash: Buffer | null;
  codeNumber: number;
  codeFailures: number;
  codeFailuresInLife: number;
  codeLockedUntil: number | null;
};

type Person = {
  id: string;
  email: string;
  name: string;
  passwordHash: string | null;
  role: string;
  alias: string | null;
  active: boolean;
  away: boolean;
  graceFrom: number | null;
  hasFactor: boolean;
};

type Session = {
  id: string;
  staffId: string;
  tokenHash: Buffer;
  previousHash: Buffer | null;
  createdAt: number;
  expiresAt: number;
  lastUsedAt: number;
  confirmedAt: number | null;
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

type Deleted = { conversationId: string; handlerAlias: string; by: ErasedBy; deletedAt: number };

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
  #running: Promise<void> | undefined;

  readonly conversations = new Table<Conversation>(this.#journal);
  /** By conversation, in the order of their numbers. */
  readonly messages = new Table<readonly ModelMessage[]>(this.#journal);
  /** By conversation and visitor. */
  readonly devices = new Table<Device>(this.#journal);
  readonly invites = new Table<Invite>(this.#journal);
  readonly staff = new Table<Person>(this.#journal);
  readonly sessions = new Table<Session>(this.#journal);
  /** The desks. */
  readonly handlers = new Table<{ alias: string }>(this.#journal);
  readonly deskHours = new Table<DeskHours>(this.#journal);
  readonly presence = new Table<Lease>(this.#journal);
  readonly staffPresence = new Table<Lease>(this.#journal);
  readonly gateways = new Table<{ id: string; alone: boolean; expiresAt: number }>(this.#journal);
  readonly blocks = new Table<{ conversationId: string; reason: string; until: number | null }>(
    this.#journal,
  );
  readonly notes = new Table<ModelNote>(this.#journal);
  readonly media = new Table<Picture>(this.#journal);
  /** By endpoint. */
  readonly subscriptions = new Table<Subscription>(this.#journal);
  /** By conversation and side. */
  readonly pushDue = new Table<PushDue>(this.#journal);
  readonly views = new Table<{ conversationId: string; at: number }>(this.#journal);
  readonly erasures = new Table<{ visitors: string[] }>(this.#journal);
  readonly deleted = new Table<Deleted>(this.#journal);
  readonly profiles = new Table<{ displayName: string; createdAt: number }>(this.#journal);
  /** By their order. */
  readonly audit = new Table<{ actor: string; action: string; target: string }>(this.#journal);
  profile = PROFILE;
  hoursRev = 0;

  /** `now` is the clock of the database. */
  constructor(now: () => number, newId: () => string) {
    this.#now = now;
    this.newId = newId;
  }

  now(): number {
    return Math.floor(this.#now());
  }

  /** Runs one statement after the transaction in progress. It changes everything, or nothing if it throws. */
  async statement<Result>(effect: (state: State) => Result): Promise<Result> {
    while (this.#running !== undefined) await this.#running;
    this.#journal.undo = [];
    try {
      return effect(this);
    } catch (error) {
      this.#rollBack();
      throw error;
    } finally {
      this.#journal.undo = undefined;
    }
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
      this.#rollBack();
      throw error;
    } finally {
      this.#journal.undo = undefined;
      this.#running = undefined;
      resolve();
    }
  }

  #rollBack(): void {
    const { undo = [] } = this.#journal;
    this.#journal.undo = undefined;
    for (const step of undo.reverse()) step();
  }
}

/** The key of a row with a key of two columns. */
export function both(left: string, right: string | boolean): string {
  return `${left} ${right}`;
}
