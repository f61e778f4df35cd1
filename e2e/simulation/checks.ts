import type { Down } from '@settee/protocol/frames/down';
import type { QueueRow } from '@settee/protocol/model/conversation';
import { isRetryable } from '@settee/protocol/model/errorCodes';
import type { Message } from '@settee/protocol/model/message';
import {
  type App,
  type Caller,
  conversationView,
  findAccess,
  readQueue,
  readStaffSessions,
} from '../../server/testing/simulation.ts';
import type { StoredUpload, Upload } from '../../web/src/chat/images/upload/upload.ts';
import { isQueued } from '../../web/src/chat/model/conversation.ts';
import type { Frame } from '../../web/src/chat/model/conversationState.ts';
import type { LiveConversation } from '../../web/src/chat/model/liveConversation.ts';
import { config, heard } from './gateway.ts';
import { ModelDatabase } from './model/model.ts';
import { desksOf } from './model/people.ts';
import { both } from './model/state.ts';
import type { Link } from './network.ts';
import { Notifications } from './notifications.ts';
import { ConsolePage, type Page } from './pages.ts';
import type { Rule, Violation } from './rules.ts';
import { type Owner, START, scheduler, simulation } from './time.ts';
import type { AnyBrowser, Observer, World } from './world.ts';

const REVOKED_MS = 5_000;
/** A queue shows what its gateway has heard of within this time. Changes are sent every 100 ms. */
const HEARD_MS = 1_000;
/** Above this delay of the database, that takes longer. */
const HEARD_DATABASE_MS = 150;
/** Above this delay of the database, an access check takes longer than its promise. */
const SLOW_DATABASE_MS = 60;

/** Frames with something that only those with access may know. */
const CONTENT = new Set([
  'watched',
  'message',
  'messages',
  'conversation',
  'ack',
  'queue',
  'queueChange',
  'note',
]);

/** A text that somebody wrote. Every one occurs once. */
export type Written = {
  text: string;
  conversationId: string;
  browser: AnyBrowser;
  page: Page;
  /** It was refused or returned, so it may be stored after later ones. */
  returned: boolean;
  /** A tab opened while another one had it as a draft, so it is in both. */
  inBoth: boolean;
  /** A draft when its page closed. Tabs share one draft, so another tab may have replaced it. */
  onlyDraft: boolean;
  /** The order in which its writer sent it. */
  sent: number | undefined;
  /** Another tab of its browser may send it. */
  sentBy: Page;
};

/** An image that somebody picked. The name of its file is unique. */
type Picked = {
  name: string;
  conversationId: string;
  browser: AnyBrowser;
  /** The ids of its message and its file, since the browser keeps it. */
  kept: Map<string, string>;
  /** It failed, was refused or was cancelled, so it may be sent after later ones, or never. */
  gaveUp: boolean;
};

type Socket = { link: Link; whose: readonly string[]; name: string; desks: readonly string[] };

export class Checks implements Observer {
  readonly violations: Violation[] = [];
  readonly written = new Map<string, Written>();
  readonly #picked = new Map<string, Picked>();
  /** Browsers that had several pages open. */
  readonly hadTabs = new Set<AnyBrowser>();
  readonly lines: string[] = [];
  /** Changes with everything that happens: equal runs have equal hashes. */
  hash = 0;
  readonly #verbose: boolean;
  #world!: World;
  #app!: App;
  #sent = 0;
  /** When each message was stored. */
  readonly #storedAt = new Map<string, number>();
  /** The desks of conversations and people, since when. */
  readonly #desks = new Map<string, { desks: readonly string[]; since: number }[]>();
  /** A message that was refused during a block may be stored after later ones, if the refusal got lost. */
  readonly #blocked = new Set<string>();
  readonly #browserOf = new Map<Page, AnyBrowser>();
  /** Consoles that got the queues of all their desks. A page of an earlier release asks for the first only. */
  readonly #watchesAll = new WeakMap<Page, boolean>();
  readonly #rowsSent = new WeakMap<Link, Map<string, number>>();
  readonly #followed = new WeakSet<LiveConversation>();
  /** The sockets with access, whose they are (a device, a session and a person), and of which desks. */
  readonly #sockets = new Set<Socket>();

  constructor(verbose: boolean) {
    this.#verbose = verbose;
  }

  begin(world: World): void {
    this.#world = world;
    const { state } = world;
    state.onMissing = (error) => this.violated('errors', error.message);
    const db = new ModelDatabase(state);
    this.#app = { db, reserved: db, config, clock: { now: () => scheduler.now } } as unknown as App;
    const notifications = new Notifications(state, (what) => this.violated('notifications', what));
    const set = state.conversations.set.bind(state.conversations);
    state.conversations.set = (id, row) => {
      const before = state.conversations.get(id);
      if (before && (row.visitorSeen < before.visitorSeen || row.ownerSeen < before.ownerSeen))
        this.violated('seen', `the stored mark of ${id} goes back`);
      if (row.status === 'blocked') this.#blocked.add(id);
      this.#movesTo(id, [row.handlerAlias]);
      if (before && before.handlerAlias !== row.handlerAlias) notifications.moves(id);
      set(id, row);
    };
    const desksChanged = (id: string): void => {
      this.#movesTo(id, this.#desksOf(id));
      this.#mustClose(id, ({ desks }) => this.#desksOf(id).join() !== desks.join());
    };
    const setDesk = state.deskStaff.set.bind(state.deskStaff);
    state.deskStaff.set = (key, row) => {
      setDesk(key, row);
      desksChanged(row.staffId);
    };
    const leaveDesk = state.deskStaff.delete.bind(state.deskStaff);
    state.deskStaff.delete = (key) => {
      const left = leaveDesk(key);
      desksChanged(key.split(' ')[1] ?? '');
      return left;
    };
    for (const table of [state.sessions, state.devices]) {
      const setRow = table.set.bind(table) as (id: string, row: { revokedAt: number | null }) => void;
      table.set = (id: string, row: { revokedAt: number | null }) => {
        const isRevoked = (): boolean => typeof table.get(id)?.revokedAt === 'number';
        if (row.revokedAt !== null && !isRevoked()) this.#mustClose(id, isRevoked);
        setRow(id, row);
      };
    }
    for (const { device } of world.browsers()) {
      device.onKept = (row) => {
        const { name, id, mediaId } = row as StoredUpload;
        this.#picked.get(name)?.kept.set(id, mediaId);
      };
    }
    heard.at = (alias, message) => this.#heardOf(scheduler.owner, alias, message);
    for (const { id, handlerAlias } of state.conversations.all()) this.#movesTo(id, [handlerAlias]);
    for (const id of state.staff.keys()) this.#movesTo(id, this.#desksOf(id));
    const setMessages = state.messages.set.bind(state.messages);
    state.messages.set = (id, all) => {
      const last = all.at(-1);
      if (last) this.#storedAt.set(last.id, scheduler.now);
      if (last) notifications.stored(id, last);
      if (last && last.seq !== all.length)
        this.violated('gaps', `number ${last.seq} of ${id} is the ${all.length}th`);
      setMessages(id, all);
    };
  }

  opened(browser: AnyBrowser, page: Page): void {
    this.#browserOf.set(page, browser);
  }

  violated(rule: Rule, what: string): void {
    if (this.violations.some((known) => known.rule === rule && known.what === what)) return;
    this.violations.push({ rule, what, at: Math.round(scheduler.now - START) });
    this.trace(`VIOLATION (${rule}): ${what}`);
  }

  trace(line: string): void {
    const at = Math.round(scheduler.now - START);
    this.#mix(`${at} ${line}`);
    if (this.#verbose) this.lines.push(`${String(at).padStart(7)} ${line}`);
  }

  #mix(text: string): void {
    let { hash } = this;
    for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 16_777_619) | 0;
    this.hash = hash;
  }

  // --- Writing

  wrote(text: string, conversationId: string, browser: AnyBrowser, page: Page): void {
    const entry = {
      text,
      conversationId,
      browser,
      page,
      returned: false,
      inBoth: false,
      onlyDraft: false,
      sent: undefined,
      sentBy: page,
    };
    this.written.set(text, entry);
  }

  pressedSend(text: string, page: Page): void {
    for (const line of text.split('\n')) {
      const entry = this.written.get(line);
      if (entry?.sent !== undefined || !entry) continue;
      this.#sent += 1;
      Object.assign(entry, { sent: this.#sent, sentBy: page });
    }
  }

  picked(name: string, conversationId: string, browser: AnyBrowser): void {
    this.#picked.set(name, { name, conversationId, browser, kept: new Map(), gaveUp: false });
  }

  gaveUp(name: string): void {
    const picked = this.#picked.get(name);
    if (picked) picked.gaveUp = true;
  }

  uploads(list: readonly Upload[]): void {
    for (const { name, state } of list) if (state === 'failed' || state === 'refused') this.gaveUp(name);
  }

  /** Follows what a page shows of a conversation. */
  follow(page: Page, conversation: LiveConversation): void {
    if (this.#followed.has(conversation)) return;
    this.#followed.add(conversation);
    const marks = { visitorSeen: 0, ownerSeen: 0 };
    conversation.subscribe(() => {
      const { pending, view } = conversation.state();
      for (const each of pending) if (!isQueued(each)) this.returned(each.text, each.id);
      this.#checkLog(page, conversation);
      if (view === null) return;
      if (view.visitorSeen < marks.visitorSeen || view.ownerSeen < marks.ownerSeen)
        this.violated('seen', `a mark goes back at ${page.owner.name}`);
      Object.assign(marks, { visitorSeen: view.visitorSeen, ownerSeen: view.ownerSeen });
    });
  }

  returned(text: string, id?: string): void {
    for (const picked of this.#picked.values()) if (picked.kept.has(id ?? '')) picked.gaveUp = true;
    for (const line of text.split('\n')) {
      const entry = this.written.get(line);
      if (entry) entry.returned = true;
    }
  }

  #checkLog(page: Page, conversation: LiveConversation): void {
    const { log, pending, id } = conversation.state();
    const stored = this.#world.state.messages.get(id);
    const { messages } = log;
    const first = messages[0]?.seq ?? 0;
    const name = page.owner.name;
    for (let at = 0; at < messages.length; at += 1) {
      const message = messages[at];
      if (message === undefined) continue;
      if (message.seq !== first + at)
        this.violated('gaps', `${name} shows ${message.seq} after ${first + at - 1}`);
      const row = stored?.[message.seq - 1];
      if (stored && (row?.id !== message.id || row.text !== message.text))
        this.violated('gaps', `${name} shows another message as number ${message.seq}`);
    }
    const ids = [...messages, ...pending].map((each) => each.id);
    if (new Set(ids).size < ids.length) this.violated('once', `${name} shows a message twice`);
  }

  // --- Frames

  sent(page: Page, link: Link, data: string): void {
    this.#mix(`${scheduler.now} ${page.owner.name} ${data.length}`);
    const frame = JSON.parse(data) as Down;
    if (this.#verbose) this.trace(`  to ${page.owner.name}: ${data.slice(0, 200)}`);
    if (frame.type === 'welcome' || frame.type === 'watched') this.#opens(page, link, frame.type);
    if (frame.type === 'ack') this.#checkAck(page, frame);
    if (frame.type === 'refused') this.#noteRefusal(page, frame);
    if (frame.type === 'queueChange' || frame.type === 'queue' || frame.type === 'queuePage')
      this.#checkRows(page, link, frame);
    if (frame.type === 'queue') this.#watchesAll.set(page, frame.alias !== undefined);
    if (CONTENT.has(frame.type)) this.#checkAccess(page, frame);
  }

  received(page: Page): void {
    if (page.owner.dead) return;
    for (const conversation of page.conversations()) this.follow(page, conversation);
  }

  /** A refused message may be stored later, also if its page closed before it knew. */
  #noteRefusal(page: Page, { id, code }: Frame<'refused'>): void {
    if (id === undefined || isRetryable(code)) return;
    const { handlers, desks } = this.#world.plan;
    const isAlone = handlers === 1 && desks === 1;
    const pending = page.conversations().flatMap((each) => each.state().pending);
    for (const { text } of pending.filter((each) => each.id === id)) {
      this.returned(text, id);
      // Another visit does not know what its writer had seen before the messages loaded.
      const isOwn = text.split('\n').every((line) => this.written.get(line)?.page === page);
      if (code === 'reply_outdated' && isAlone && isOwn)
        this.violated('texts', `"${text}" of ${page.owner.name} is held for a colleague, but there is none`);
    }
  }

  #checkAck(page: Page, { conversationId, id, seq }: Frame<'ack'>): void {
    const stored = this.#world.state.messages.get(conversationId);
    if (this.#world.state.conversations.get(conversationId) === undefined) return;
    if (stored?.[seq - 1]?.id !== id)
      this.violated(
        'acknowledged',
        `${page.owner.name} gets an ack for number ${seq}, which is not that message`,
      );
  }

  #checkRows(page: Page, link: Link, frame: Frame<'queue' | 'queueChange' | 'queuePage'>): void {
    const known = this.#rowsSent.get(link) ?? new Map<string, number>();
    this.#rowsSent.set(link, known);
    const browser = this.#browserOf.get(page);
    // A page that watches one desk, its first, gets no name of it.
    const alias = frame.alias ?? (browser?.side === 'owner' ? this.#desksOf(browser.staffId)[0] : undefined);
    const keyOf = (id: string): string => both(alias ?? '', id);
    for (const id of 'gone' in frame ? frame.gone : []) known.delete(keyOf(id));
    for (const { conversationId, head } of frame.rows) {
      if (head < (known.get(keyOf(conversationId)) ?? 0))
        this.violated('queue', `${page.owner.name} gets an older row of a conversation`);
      known.set(keyOf(conversationId), head);
    }
  }

  /** The gateway has heard of a message, so its consoles must show it. */
  #heardOf(gateway: Owner, alias: string, { conversationId, seq }: Message): void {
    const { state, links } = this.#world;
    const consoles = [...this.#sockets]
      .filter((each) => each.link.gateway === gateway && each.desks.includes(alias) && links.has(each.link))
      .map(({ link }) => link);
    if (consoles.length === 0) return;
    const check = (): void => {
      const row = state.conversations.get(conversationId);
      if (row?.status !== 'open' || row.handlerAlias !== alias || !this.#isCalm(HEARD_DATABASE_MS)) return;
      for (const link of consoles) {
        const head = link.isOpenAtServer() && this.#rowsSent.get(link)?.get(both(alias, conversationId));
        if (typeof head === 'number' && head < seq)
          this.violated('queue', `${gateway.name} knows message ${seq}, but its consoles show ${head}`);
      }
    };
    scheduler.after(HEARD_MS, check, simulation);
  }

  /** A visitor's socket gets access with its first conversation. */
  #opens(page: Page, link: Link, frame: 'welcome' | 'watched'): void {
    const browser = this.#browserOf.get(page);
    if (browser === undefined || (frame === 'welcome') !== (browser.side === 'owner')) return;
    const whose =
      browser.side === 'owner'
        ? [browser.sessionId, browser.staffId]
        : [both(browser.conversationId, browser.visitor.visitorId)];
    const desks = browser.side === 'owner' ? this.#desksOf(browser.staffId) : [];
    this.#sockets.add({ link, whose, name: page.owner.name, desks });
  }

  /** Sockets that are open now must close in time, if the access ended indeed. */
  #mustClose(whose: string, hasEnded: (socket: Socket) => boolean): void {
    const open = [...this.#sockets].filter(
      (each) => each.whose.includes(whose) && each.link.isOpenAtServer(),
    );
    const check = (): void => {
      for (const socket of open) {
        if (socket.link.isOpenAtServer() && hasEnded(socket) && this.#isCalm())
          this.violated('revoked', `a socket of ${socket.name} is open five seconds after its access ended`);
      }
    };
    if (open.length > 0) scheduler.after(REVOKED_MS, check, simulation);
  }

  #isCalm(slowest = SLOW_DATABASE_MS): boolean {
    const { rates, troubledUntil } = this.#world;
    return rates.databaseDelay <= slowest && scheduler.now > troubledUntil + REVOKED_MS;
  }

  #checkAccess(page: Page, frame: Down): void {
    const ended = this.accessEndedAt(page);
    if (ended !== undefined && scheduler.now > ended + REVOKED_MS && this.#isCalm())
      this.violated('revoked', `${page.owner.name} gets ${frame.type} after its access ended`);
    const browser = this.#browserOf.get(page);
    if (browser?.side !== 'owner') return;
    const messages =
      frame.type === 'message' ? [frame.message] : 'messages' in frame ? (frame.messages as Message[]) : [];
    for (const { id, conversationId } of messages) {
      const stored = this.#storedAt.get(id);
      if (stored === undefined) continue;
      // Whoever may read a conversation may read everything before.
      const own = this.#desksSince(browser.staffId, this.#isCalm() ? scheduler.now - REVOKED_MS : 0);
      if (!this.#desksSince(conversationId, stored).some((alias) => own.includes(alias)))
        this.violated('revoked', `${page.owner.name} gets a message that was written at another desk`);
    }
  }

  #desksOf(staffId: string): string[] {
    return desksOf(this.#world.state, staffId).map(({ alias }) => alias);
  }

  #movesTo(id: string, desks: readonly string[]): void {
    const known = this.#desks.get(id) ?? [];
    if (known.at(-1)?.desks.join() !== desks.join()) known.push({ desks, since: scheduler.now });
    this.#desks.set(id, known);
  }

  /** The desks of a conversation or a person from then until now. */
  #desksSince(id: string, time: number): string[] {
    const all = this.#desks.get(id) ?? [];
    return all
      .filter((_, at) => (all[at + 1]?.since ?? Number.POSITIVE_INFINITY) >= time)
      .flatMap(({ desks }) => desks);
  }

  accessEndedAt(page: Page): number | undefined {
    const { state } = this.#world;
    const browser = this.#browserOf.get(page);
    if (browser?.side === 'visitor') {
      const device = state.devices.get(both(browser.conversationId, browser.visitor.visitorId));
      return device?.revokedAt ?? undefined;
    }
    return browser && (state.sessions.get(browser.sessionId)?.revokedAt ?? undefined);
  }

  // --- At rest

  /** What is not as it must be at rest. Empty: everything is quiet and right. */
  async atRest(): Promise<Omit<Violation, 'at'>[]> {
    const found: Omit<Violation, 'at'>[] = [];
    const add = (rule: Rule, what: string): void => void found.push({ rule, what });
    for (const browser of this.#world.browsers()) {
      for (const page of browser.pages) await this.#pageAtRest(browser, page, add);
    }
    if (found.length === 0) this.#textsAtRest(add);
    if (found.length === 0) this.#imagesAtRest(add);
    return found;
  }

  #imagesAtRest(add: (rule: Rule, what: string) => void): void {
    const { state, media } = this.#world;
    const numbers = new Map<string, number>();
    for (const conversationId of state.messages.keys()) {
      for (const { id, seq, mediaId } of state.messages.get(conversationId) ?? []) {
        numbers.set(id, seq);
        const row = mediaId === null ? undefined : state.media.get(mediaId);
        if (mediaId !== null && (row?.state !== 'ready' || !media.objects.has(row.path)))
          add('images', `message ${seq} has an image without a file`);
      }
    }
    const last = new Map<string, { seq: number; name: string }>();
    for (const { name, kept, conversationId, browser, gaveUp } of this.#picked.values()) {
      if (state.conversations.get(conversationId) === undefined || kept.size === 0) continue;
      if (kept.size > 1) add('images', `${name} was picked once, but is kept under ${kept.size} ids`);
      const [[id, mediaId] = ['', '']] = kept;
      const seq = numbers.get(id);
      const isRefused = state.media.get(mediaId)?.state === 'refused';
      if (seq === undefined) {
        if (
          !gaveUp &&
          !isRefused &&
          this.#hasAccess(browser, conversationId) &&
          !this.#showsFailed(browser, id)
        )
          add('images', `${name} of ${browser.name} is not sent`);
        continue;
      }
      const key = `${conversationId} ${browser.name}`;
      const before = last.get(key);
      if (gaveUp || this.hadTabs.has(browser)) continue;
      if (before && before.seq > seq)
        add('images', `${before.name} was sent before ${name}, but is stored after it`);
      last.set(key, { seq, name });
    }
  }

  /**
   * Whether the browser shows a message as not sent. The next page of a tab, or of a console whose chat was away,
   * continues it.
   */
  #showsFailed(browser: AnyBrowser, id: string): boolean {
    const { device, pages, side } = browser;
    const pending = (pages as Page[]).flatMap((page) =>
      page.conversations().flatMap((each) => each.state().pending),
    );
    if (pending.some((each) => each.id === id && !isQueued(each))) return true;
    return (
      (side === 'owner' || this.hadTabs.has(browser)) &&
      device.kept().some((row) => (row as StoredUpload).id === id)
    );
  }

  async #callerOf(browser: AnyBrowser): Promise<Caller | undefined> {
    if (browser.side === 'visitor') return browser.visitor;
    return (await readStaffSessions(this.#app, [browser.sessionId])).get(browser.sessionId);
  }

  async #pageAtRest(browser: AnyBrowser, page: Page, add: (rule: Rule, what: string) => void): Promise<void> {
    const { name } = page.owner;
    const isEnded = page.status() === 'ended';
    if (this.accessEndedAt(page) !== undefined) {
      if (page.status() === 'open' && !page.conversations().every((each) => each.state().gone))
        add('revoked', `${name} has no access and stays connected`);
      return;
    }
    if (page.status() !== 'open')
      return add('connected', `${name} is ${page.status()}${isEnded ? ' too early' : ''}`);
    const caller = await this.#callerOf(browser);
    const { state } = this.#world;
    for (const conversation of page.conversations()) {
      const shown = conversation.state();
      const access = caller && (await findAccess(this.#app, caller, shown.id));
      if (access === undefined) {
        if (!shown.gone && (browser.side === 'visitor' || page.composedIn() === shown.id))
          add('screens', `${name} still shows a conversation without access`);
        continue;
      }
      // A person who comes back opens it again.
      if (shown.gone) {
        if (browser.side === 'visitor') add('screens', `${name} does not show its conversation`);
        continue;
      }
      const head = state.messages.get(shown.id)?.length ?? 0;
      const last = shown.log.messages.at(-1)?.seq ?? 0;
      if (!shown.loaded || last !== head) add('screens', `${name} shows ${last} of ${head} messages`);
      this.#checkLog(page, conversation);
      const unsent = shown.pending.filter(isQueued);
      if (unsent.length > 0)
        add('outbox', `${name} has ${unsent.length} unsent messages (${unsent[0]?.state})`);
      const expected = comparable(conversationView(access));
      if (shown.view && comparable(shown.view) !== expected)
        add('screens', `${name} shows ${comparable(shown.view)} instead of ${expected}`);
      const row = state.conversations.get(shown.id);
      const seen = (browser.side === 'visitor' ? row?.visitorSeen : row?.ownerSeen) ?? 0;
      const unseen = shown.log.messages.find(
        ({ seq, sender }) => sender !== shown.me && seq > seen && seq <= shown.looked,
      );
      if (unseen) add('seen', `${name} looked at ${shown.looked}, but ${seen} is stored`);
    }
    for (const { name: file, conversationId, state: is } of page.allUploads()) {
      const isOver =
        is === 'failed' || is === 'refused' || state.conversations.get(conversationId) === undefined;
      if (!isOver && this.#hasAccess(browser, conversationId)) add('images', `${name} still uploads ${file}`);
    }
    for (const entry of page.unsent()) {
      // An image of a chat that moved away meanwhile waits in the outbox, because it has no text to return.
      const isStuck = entry.picture !== undefined && !this.#hasAccess(browser, entry.conversationId);
      if (entry.state === 'queued' && !isStuck && state.conversations.get(entry.conversationId) !== undefined)
        add('outbox', `the outbox of ${name} holds "${entry.text}"`);
    }
    if (page instanceof ConsolePage && caller?.kind === 'staff')
      await this.#queueAtRest(page, this.#desksOf(caller.staffId), add);
  }

  async #queueAtRest(
    page: ConsolePage,
    desks: readonly string[],
    add: (rule: Rule, what: string) => void,
  ): Promise<void> {
    const watched = this.#watchesAll.get(page) ? desks : desks.slice(0, 1);
    const expected: QueueRow[] = [];
    for (const alias of watched) expected.push(...(await readQueue(this.#app.db, alias)));
    const shown = page.console.get().queue;
    const byId = (rows: typeof expected): string =>
      rows
        .map(({ alias: _, ...row }) => JSON.stringify(row, Object.keys(row).sort()))
        .sort()
        .join('\n');
    if (shown === null || byId([...shown]) !== byId([...expected]))
      add('queue', `${page.owner.name} shows ${shown && byId([...shown])} instead of ${byId([...expected])}`);
    for (const row of expected) {
      const messages = this.#world.state.messages.get(row.conversationId) ?? [];
      const seen = this.#world.state.conversations.get(row.conversationId)?.ownerSeen ?? 0;
      const unread = messages.filter(({ seq, fromOwner }) => !fromOwner && seq > seen).length;
      if (row.unread !== unread) add('seen', `${row.unread} are unread, but ${unread} were not seen`);
    }
  }

  #textsAtRest(add: (rule: Rule, what: string) => void): void {
    const { state } = this.#world;
    const stored = new Map<string, number[]>();
    const ids = new Set<string>();
    for (const conversationId of state.messages.keys()) {
      for (const { text, seq, id } of state.messages.get(conversationId) ?? []) {
        if (ids.has(id)) add('once', `${id} is stored twice`);
        ids.add(id);
        for (const line of text.split('\n')) stored.set(line, [...(stored.get(line) ?? []), seq]);
      }
    }
    const unsent = new Map<AnyBrowser, Set<string>>();
    for (const browser of this.#world.browsers()) unsent.set(browser, this.#notSent(browser));
    const lastSent = new Map<string, { sent: number; seq: number; text: string }>();
    for (const entry of this.written.values()) {
      const { text, conversationId, browser, page } = entry;
      if (state.conversations.get(conversationId) === undefined) continue;
      const times = stored.get(text) ?? [];
      const isUnsent = unsent.get(browser)?.has(text) === true;
      if (times.length > 1) add('once', `"${text}" is stored ${times.length} times`);
      if (times.length === 0 && !isUnsent && !(entry.onlyDraft && this.hadTabs.has(browser)))
        add('texts', `"${text}" of ${page.owner.name} is lost`);
      const isExcused = entry.inBoth || this.hadTabs.has(browser);
      if (times.length > 0 && isUnsent && !isExcused && this.#hasAccess(browser, conversationId))
        add('texts', `"${text}" of ${page.owner.name} is stored, and also shown as not sent`);
    }
    const inOrder = [...this.written.values()]
      .filter(
        (entry) => entry.sent !== undefined && !entry.returned && !this.#blocked.has(entry.conversationId),
      )
      .sort((left, right) => (left.sent ?? 0) - (right.sent ?? 0));
    for (const { text, conversationId, browser, sentBy: page, sent } of inOrder) {
      const [seq] = stored.get(text) ?? [];
      if (seq === undefined) continue;
      // Two tabs send side by side.
      const key = `${conversationId} ${this.hadTabs.has(browser) ? page.owner.name : browser.name}`;
      const before = lastSent.get(key);
      if (before && before.seq > seq)
        add(
          'order',
          `${page.owner.name} wrote "${before.text}" before "${text}", but they are stored as ${before.seq} and ${seq}`,
        );
      lastSent.set(key, { sent: sent ?? 0, seq, text });
    }
  }

  #hasAccess(browser: AnyBrowser, conversationId: string): boolean {
    const { state } = this.#world;
    if (browser.side === 'visitor')
      return state.devices.get(both(conversationId, browser.visitor.visitorId))?.revokedAt === null;
    return this.#desksOf(browser.staffId).includes(
      state.conversations.get(conversationId)?.handlerAlias ?? '',
    );
  }

  /** The texts that this browser shows as a draft or as failed. */
  #notSent(browser: AnyBrowser): Set<string> {
    const { device, pages } = browser;
    const texts = device.texts();
    const whose = browser.side === 'visitor' ? 'visitor' : `owner-${browser.staffId}`;
    for (const { text } of device.unsent(whose)) texts.push(text);
    for (const page of pages) {
      for (const conversation of page.conversations()) {
        for (const each of conversation.state().pending) if (!isQueued(each)) texts.push(each.text);
      }
      texts.push(page.composer()?.text() ?? '');
    }
    return new Set(texts.flatMap((text) => text.split('\n')));
  }

  /** Whether visitors see what is true, after a minute without a change. */
  presenceAtRest(): void {
    const { state, visitors, staff } = this.#world;
    const staffed = new Set(
      staff
        .filter(({ pages }) => pages.some((page) => page.status() === 'open'))
        .filter(({ staffId }) => state.staff.get(staffId)?.away === false)
        .flatMap(({ staffId }) => desksOf(state, staffId))
        .flatMap(({ alias, off }) => (off ? [] : alias)),
    );
    for (const page of visitors.flatMap(({ pages }) => pages)) {
      const { id, watch } = page.conversation.state();
      // Without a chat, a page shows whether anyone is at any desk, or nothing.
      if (page.status() !== 'open' || watch !== 'done') continue;
      if (page.online !== staffed.has(state.conversations.get(id)?.handlerAlias ?? ''))
        this.violated('presence', `${page.owner.name} sees ${page.online ? 'somebody' : 'nobody'} online`);
    }
    for (const page of staff.flatMap(({ pages }) => pages)) {
      if (page.status() !== 'open') continue;
      const { queue, visitorsHere } = page.console.get();
      for (const { conversationId } of queue ?? []) {
        const isHere = visitors.some(
          (each) =>
            each.conversationId === conversationId &&
            each.pages.some((other) => other.status() === 'open' && !other.conversation.state().gone),
        );
        if (isHere !== visitorsHere.has(conversationId))
          this.violated('presence', `${page.owner.name} sees that a visitor is ${isHere ? 'away' : 'here'}`);
      }
    }
  }
}

/** A frame of a visitor is not sent for a change of these, and each message changes them. */
function comparable(view: object): string {
  const {
    rev: _,
    head: __,
    lastMessageAt: ___,
    unread: ____,
    ...shown
  } = { rev: 0, head: 0, lastMessageAt: 0, unread: 0, ...view };
  return JSON.stringify(shown, Object.keys(shown).sort());
}
