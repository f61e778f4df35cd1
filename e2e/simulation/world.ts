import {
  type App,
  type Caller,
  Refusal,
  readStaffSessions,
  signStaff,
  signVisitor,
  type Visitor,
} from '../../server/testing/simulation.ts';
import type { Upload } from '../../web/src/chat/images/upload/upload.ts';
import type { IdToken } from '../../web/src/net/live.ts';
import { Random } from '../proof/random.ts';
import { Device } from './device.ts';
import { type CallResult, Gateway } from './gateway.ts';
import { ImageWorker, mediaCall, SimulatedMedia } from './media.ts';
import { databases, effects, ModelDatabase } from './model/model.ts';
import { State } from './model/state.ts';
import { Link, SimulatedBus } from './network.ts';
import { ConsolePage, type Page, VisitorPage } from './pages.ts';
import { CALM, type Plan, type Rates } from './plan.ts';
import type { Browser } from './replaced/browser.ts';
import { type Owner, scheduler, simulation } from './time.ts';

/** For secrets that nobody uses. */
const NO_BYTES = Buffer.alloc(0);
/** A page or a proxy gives up a call after this time. */
const CALL_TIMEOUT_MS = 30_000;

/** A visitor's browser: one of their devices. */
export type VisitorBrowser = {
  side: 'visitor';
  name: string;
  device: Device;
  visitor: Visitor;
  conversationId: string;
  pages: VisitorPage[];
};

/** A handler's browser. */
export type StaffBrowser = {
  side: 'owner';
  name: string;
  device: Device;
  staffId: string;
  sessionId: string;
  pages: ConsolePage[];
};

export type AnyBrowser = VisitorBrowser | StaffBrowser;

/** Called for what happens, so that the checks can follow it. */
export type Observer = {
  trace(line: string): void;
  /** The gateway sends a frame to this page. */
  sent(page: Page, link: Link, data: string): void;
  uploads(list: readonly Upload[]): void;
  /** The page has handled a frame. */
  received(page: Page): void;
};

type Slot = {
  name: string;
  owner: Owner;
  gateway: Gateway | undefined;
  draining: boolean;
  odd: boolean;
  /** Its gateways are of the previous release, until one stops for the upgrade. */
  previous: boolean;
};

/** The gateways, the database, the network, and the people with their browsers. */
export class World {
  readonly plan: Plan;
  readonly state: State;
  readonly slots: Slot[] = [];
  readonly bus: SimulatedBus;
  readonly media: SimulatedMedia;
  readonly worker: ImageWorker;
  readonly visitors: VisitorBrowser[] = [];
  readonly staff: StaffBrowser[] = [];
  readonly links = new Set<Link>();
  readonly conversationIds: string[] = [];
  readonly aliases: string[];
  readonly observer: Observer;
  rates: Rates;
  /** Until when the database refuses all calls, and until when it was last troubled. */
  outageUntil = 0;
  troubledUntil = 0;
  readonly #admin: { staffId: string; sessionId: string };
  readonly #network: Random;
  readonly #database: Random;
  readonly #ids: Random;
  readonly #waiting = new Set<{ gateway: Owner; fail: () => void }>();
  #gatewaysStarted = 0;
  #pagesOpened = 0;

  constructor(plan: Plan, observer: Observer) {
    this.plan = plan;
    this.observer = observer;
    this.rates = { ...plan.rates };
    const random = new Random(plan.seed, `world ${plan.seed}`);
    this.#network = random.fork('network');
    this.#database = random.fork('database');
    this.#ids = random.fork('ids');
    const bus = random.fork('bus');
    this.bus = new SimulatedBus(bus, { lost: this.rates.hintsLost, delay: this.rates.hintDelay });
    this.state = new State(
      () => scheduler.now,
      () => this.#ids.uuid(),
    );
    this.media = new SimulatedMedia(random.fork('media'), () => this.rates);
    this.worker = new ImageWorker({
      state: this.state,
      media: this.media,
      random: random.fork('worker'),
      around: (owner) => (name, effect) => this.#around(owner, name, effect),
    });
    this.aliases = ['north', 'south'].slice(0, plan.desks);
    for (const alias of this.aliases) effects.ensureAlias(this.state, alias);
    this.#admin = this.#addStaff('Root', 'admin', null);
    for (const alias of this.aliases)
      for (let at = 0; at < plan.handlers; at += 1) this.#addHandler(alias, at);
    for (let at = 0; at < plan.conversations; at += 1) this.#addConversation(at);
    const [first] = this.staff;
    if (plan.severalDesks && first) effects.writeDesks(this.state, first.staffId, this.aliases);
    const push = random.fork('push');
    for (const browser of this.browsers()) if (push.chance(plan.notified)) this.#notify(browser);
    for (let at = 0; at < plan.gateways; at += 1) {
      const name = 'AB'[at] ?? '';
      const { previous } = plan;
      this.slots.push({ name, owner: simulation, gateway: undefined, draining: false, odd: false, previous });
      this.startGateway(at);
    }
  }

  uuid(): string {
    return this.#ids.uuid();
  }

  #addStaff(name: string, role: string, alias: string | null): { staffId: string; sessionId: string } {
    const account = { email: `${name}@example.com`, name, passwordHash: 'x', role, alias };
    const staffId = effects.insertAccount(this.state, account) ?? '';
    return { staffId, sessionId: this.newSession(staffId) };
  }

  newSession(staffId: string): string {
    const proof = { secondFactor: false, recent: true };
    const session = { staffId, tokenHash: NO_BYTES, days: 30, proof, browser: '', network: '' };
    return effects.insertSession(this.state, session);
  }

  #addHandler(alias: string, at: number): void {
    const name = `${alias}${at + 1}`;
    const device = new Device(name, this.#network.fork(name), () => CALM.diskDelay);
    this.staff.push({ side: 'owner', name, device, ...this.#addStaff(name, 'handler', alias), pages: [] });
  }

  #addConversation(at: number): void {
    const { state } = this;
    const alias = this.aliases[at % this.aliases.length] ?? '';
    const { inviteId } = effects.insertInvite(state, { tokenHash: NO_BYTES, alias, label: '', days: 1 });
    const visitors = Array.from({ length: this.plan.secondDevices ? 2 : 1 }, (_, number): Visitor => {
      const credential = Buffer.alloc(32, at * 2 + number + 1);
      return { kind: 'visitor', visitorId: this.uuid(), credential };
    });
    const visitorId = visitors[0]?.visitorId ?? '';
    const code = { codeHash: NO_BYTES, codeNumber: 0 };
    const bound = effects.bindInvite(state, { inviteId, visitorId, ...code });
    const conversationId = bound?.conversationId ?? '';
    state.conversations.update(conversationId, { visitorName: `Visitor ${at + 1}` });
    this.conversationIds.push(conversationId);
    for (const [number, visitor] of visitors.entries()) {
      const name = `visitor${at + 1}${'ab'[number]}`;
      effects.addDevice(state, { conversationId, ...visitor, first: number === 0, browser: '' });
      const device = new Device(name, this.#network.fork(name), () => this.rates.diskDelay);
      this.visitors.push({ side: 'visitor', name, device, visitor, conversationId, pages: [] });
    }
  }

  #notify(browser: AnyBrowser): void {
    const owner =
      browser.side === 'visitor'
        ? browser.visitor
        : { ...browser, kind: 'staff', alias: this.state.staff.get(browser.staffId)?.alias };
    const keys = { p256dh: '', auth: '' };
    effects.upsertPushSubscription(this.state, owner as never, { endpoint: browser.name, ...keys });
  }

  browsers(): AnyBrowser[] {
    return [...this.visitors, ...this.staff];
  }

  openPages(): Page[] {
    return this.browsers().flatMap(({ pages }) => pages as Page[]);
  }

  openPage(browser: AnyBrowser): Page {
    this.#pagesOpened += 1;
    const name = `${browser.name}#${this.#pagesOpened}`;
    const around = {
      openSocket: (page: Page) => this.#connect(page, browser),
      token: () => this.#token(browser, page),
      fetch: (from: Page, address: string, request: RequestInit) => this.#fetch(from, address, request),
      put: (from: Page, ...[address, file, type, onEnd]: Parameters<Browser['put']>) =>
        this.media.receive(from.owner, address, { bytes: file.size, type }, onEnd),
      uploads: (list: readonly Upload[]) => this.observer.uploads(list),
    };
    const { device, pages } = browser;
    const page: Page =
      browser.side === 'visitor'
        ? new VisitorPage(name, device, browser.conversationId, around)
        : new ConsolePage(name, device, browser.staffId, around);
    (pages as Page[]).push(page);
    this.observer.trace(`${name} opens`);
    return page;
  }

  closePage(page: Page): void {
    this.observer.trace(`${page.owner.name} closes`);
    page.close();
    for (const { pages } of this.browsers()) {
      const at = (pages as Page[]).indexOf(page);
      if (at >= 0) pages.splice(at, 1);
    }
  }

  // --- The network

  frameDelay(): number {
    const { frameDelay } = this.rates;
    // Mostly quick: a slow network is slow now and then.
    return this.#network.chance(0.2)
      ? this.#network.between(0.2, frameDelay)
      : this.#network.between(0.2, CALM.frameDelay);
  }

  /** A load balancer: any gateway that accepts. */
  #route(): Slot | undefined {
    const ready = this.slots.filter(({ gateway, owner, draining }) => gateway && !owner.dead && !draining);
    return ready.length === 0 ? undefined : this.#network.pick(ready);
  }

  #connect(page: Page, browser: AnyBrowser): Link {
    const slot = this.#route();
    const gateway = slot?.gateway;
    const link = new Link(page.owner, gateway?.owner ?? { name: 'none', dead: true }, {
      frame: () => this.frameDelay(),
    });
    if (slot === undefined || gateway === undefined) {
      link.reset();
      return link;
    }
    this.links.add(link);
    link.onSend = (data) => {
      this.observer.sent(page, link, data);
      return asSentBy(gateway, slot.odd, data);
    };
    link.onFrame = () => scheduler.after(0, () => this.observer.received(page), simulation);
    link.onClose = () => {
      this.links.delete(link);
      page.links.delete(link);
    };
    if (gateway.previous) link.onReceive = refusedBefore;
    const accept = (): void => gateway.accept(link, '192.0.2.1', browser.side === 'owner');
    scheduler.after(this.frameDelay(), accept, gateway.owner);
    return link;
  }

  /** An HTTP call of a page: it, or its answer, may get lost. */
  call<T>(page: Owner, run: (gateway: Gateway) => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const slot = this.#route();
      const gateway = slot?.gateway;
      const later = (settle: () => void): void => {
        scheduler.after(this.frameDelay(), settle, page);
      };
      const lost = (): void => later(() => reject(new Error('no answer')));
      if (gateway === undefined) return lost();
      const fate = this.#network.chance(this.rates.callsLost)
        ? this.#network.pick(['request', 'answer'])
        : 'fine';
      if (fate === 'request') return lost();
      const waiting = { gateway: gateway.owner, fail: lost };
      this.#waiting.add(waiting);
      scheduler.after(CALL_TIMEOUT_MS, () => this.#waiting.delete(waiting) && lost(), page);
      const arrive = (): void => {
        void run(gateway).then(
          (answer) => {
            if (!this.#waiting.delete(waiting)) return;
            if (fate === 'answer') lost();
            else later(() => resolve(answer));
          },
          (error: Error) => this.#waiting.delete(waiting) && later(() => reject(error)),
        );
      };
      scheduler.after(this.frameDelay(), arrive, gateway.owner);
    });
  }

  /** A call of a page about an image. It may arrive twice. */
  #fetch({ owner }: Page, address: string, request: RequestInit): Promise<Response> {
    const send = (): Promise<Response> => this.call(owner, (gateway) => mediaCall(gateway, address, request));
    if (this.#network.chance(this.rates.callsLost)) void send().catch(() => {});
    return new Promise((resolve, reject) => {
      request.signal?.addEventListener('abort', () => reject(new Error('aborted')));
      send().then(resolve, reject);
    });
  }

  /** A call with the page's token. Undefined if no answer came. */
  async callAs<T>(
    browser: AnyBrowser,
    page: Owner,
    run: (app: App, caller: Caller, gateway: Gateway) => Promise<T>,
  ): Promise<CallResult<T> | undefined> {
    const answer = this.call(page, async (gateway) => {
      const { idToken } = await this.#sign(gateway, browser);
      return gateway.call(idToken, (app, caller) => run(app, caller, gateway));
    });
    return answer.catch(() => undefined);
  }

  /** A call of the administrator, who has no page. */
  callAsAdmin<T>(run: (app: App, caller: Caller) => Promise<T>): Promise<CallResult<T> | undefined> {
    const browser = { side: 'owner', ...this.#admin } as StaffBrowser;
    return this.callAs(browser, simulation, run);
  }

  async #token(browser: AnyBrowser, page: Page): Promise<IdToken> {
    const token = await this.call(page.owner, (gateway) =>
      this.#sign(gateway, browser).catch((error: unknown) => {
        if (error instanceof Refusal) return undefined;
        throw error;
      }),
    );
    if (token !== undefined) return token;
    // As sessionStore does.
    if (page instanceof ConsolePage) page.end();
    throw new Error('signed out');
  }

  async #sign({ app }: Gateway, browser: AnyBrowser): Promise<IdToken> {
    if (browser.side === 'visitor') return signVisitor(app, browser.visitor);
    const { sessionId } = browser;
    const staff = (await readStaffSessions(app, [sessionId])).get(sessionId);
    if (staff === undefined) throw new Refusal('unauthenticated');
    return signStaff(app, staff);
  }

  // --- Gateways

  startGateway(at: number): void {
    const slot = this.slots[at];
    if (slot === undefined) return;
    this.#gatewaysStarted += 1;
    const owner: Owner = { name: `${slot.name}${this.#gatewaysStarted}`, dead: false };
    Object.assign(slot, { owner, gateway: undefined, draining: false, odd: false });
    const url = `model ${owner.name}`;
    const db = new ModelDatabase(this.state);
    db.around = (name, effect) => this.#around(owner, name, effect);
    databases.set(url, db);
    const bus = this.bus.connect(owner);
    const random = new Random(this.#ids.whole(0, 2 ** 31), owner.name + this.plan.seed);
    const { previous } = slot;
    const media = this.media.of(owner);
    const start = (): void =>
      void Gateway.start({
        owner,
        url,
        db,
        bus,
        media,
        random,
        previous,
        sendBurst: this.plan.sendBurst,
      }).then(
        (gateway) => {
          slot.gateway = gateway;
          this.observer.trace(`gateway ${owner.name} is ready`);
        },
        // A process manager starts it again.
        () => scheduler.after(500, start, owner),
      );
    scheduler.as(owner, start);
  }

  /** Its memory and everything under way is lost. The clients learn it, or not. */
  killGateway(at: number, silently: boolean): void {
    const slot = this.slots[at];
    if (slot === undefined || slot.owner.dead) return;
    const { owner } = slot;
    this.observer.trace(`gateway ${owner.name} dies`);
    owner.dead = true;
    for (const link of this.links) {
      if (link.gateway !== owner) continue;
      if (silently) link.stall();
      else link.reset();
    }
    for (const waiting of this.#waiting) {
      if (waiting.gateway === owner && this.#waiting.delete(waiting)) waiting.fail();
    }
    scheduler.after(this.#network.between(100, 3_000), () => this.startGateway(at), simulation);
  }

  stopGateway(at: number): void {
    const slot = this.slots[at];
    const gateway = slot?.gateway;
    if (slot === undefined || gateway === undefined || slot.owner.dead || slot.draining) return;
    const { owner } = slot;
    this.observer.trace(`gateway ${owner.name} stops`);
    slot.draining = true;
    scheduler.as(owner, () => {
      void gateway.stop().then(() => {
        if (owner.dead) return;
        owner.dead = true;
        slot.previous = false;
        this.observer.trace(`gateway ${owner.name} has stopped`);
        scheduler.after(this.#network.between(10, 500), () => this.startGateway(at), simulation);
      });
    });
  }

  // --- The database

  #around<T>(owner: Owner, name: string, effect: () => Promise<T>): Promise<T> {
    const { databaseBefore, databaseAfter, databaseDelay } = this.rates;
    const random = this.#database;
    const wait = (): number =>
      random.chance(0.15) ? random.between(0.1, databaseDelay) : random.between(0.1, CALM.databaseDelay);
    return new Promise((resolve, reject) => {
      const later = (settle: () => void): void => {
        scheduler.after(wait(), settle, owner);
      };
      const fail = (): void => {
        this.troubledUntil = Math.max(this.troubledUntil, scheduler.now);
        later(() => reject(new Error(`the connection broke (${name})`)));
      };
      const run = (): void => {
        if (scheduler.now < this.outageUntil || random.chance(databaseBefore)) {
          fail();
          return;
        }
        const isLost = random.chance(databaseAfter);
        void effect().then(
          (result) => (isLost ? fail() : later(() => resolve(result))),
          (error: Error) => later(() => reject(error)),
        );
      };
      // PostgreSQL finishes a statement of a dead gateway, but rolls its transaction back.
      scheduler.after(wait(), run, name === 'transaction' ? owner : simulation);
    });
  }

  databaseOutage(ms: number): void {
    this.outageUntil = Math.max(this.outageUntil, scheduler.now + ms);
    this.troubledUntil = Math.max(this.troubledUntil, this.outageUntil);
  }

  /** From now on nothing breaks any more. */
  heal(): void {
    this.observer.trace('everything heals');
    // Calls that began before may still be slow.
    if (this.rates.databaseDelay > CALM.databaseDelay)
      this.troubledUntil = Math.max(this.troubledUntil, scheduler.now);
    this.rates = { ...CALM };
    this.outageUntil = 0;
    this.bus.heal();
    this.bus.faults.delay = CALM.hintDelay;
    for (const slot of this.slots) slot.odd = false;
  }

  end(): void {
    for (const page of this.openPages()) page.close();
    for (const { owner } of this.slots) owner.dead = true;
    this.worker.end();
    databases.clear();
  }
}

/** A gateway of another release announces less, or something that the page does not understand. */
function asSentBy({ previous }: Gateway, odd: boolean, data: string): string {
  if (!data.startsWith('{"type":"welcome"')) return data;
  if (odd) return data.replace('"brand":{', '"brand":null,"other":{');
  return previous ? data.replace(',"queuePages":true', '').replace(/,"desks":\[.*?\]/, '') : data;
}

/** Frames that the previous release does not know. */
function refusedBefore(data: string): string | undefined {
  return /"paged"|"desks":true/.test(data) || data.startsWith('{"type":"queuePage"')
    ? '{"type":"refused","code":"bad_request"}'
    : undefined;
}
