import {
  type App,
  accessTo,
  type Caller,
  changePerson,
  setStatus as changeStatus,
  deviceIdOf,
  dropPush,
  eraseConversation,
  eraseOwn,
  markUnread,
  Refusal,
  removeDevice,
  type Staff,
  sendOverHttp,
  setAvailability,
  setDeskOff,
  signOutEverywhere,
  snooze,
  transfer,
  type Visitor,
} from '../../server/testing/simulation.ts';
import { isQueued } from '../../web/src/chat/model/conversation.ts';
import { flushOutbox } from '../../web/src/chat/outbox/flushOutbox.ts';
import { setStatus } from '../../web/src/handler/conversation/setStatus.ts';
import type { Api } from '../../web/src/net/api.ts';
import type { Checks } from './checks.ts';
import type { Device } from './device.ts';
import type { Gateway } from './gateway.ts';
import { ConsolePage, type Page, textsShown } from './pages.ts';
import type { Step, StepKind } from './plan.ts';
import { type Owner, scheduler, simulation } from './time.ts';
import type { AnyBrowser, StaffBrowser, VisitorBrowser, World } from './world.ts';

/** How long a person takes from the last key to Send. */
const PRESS_MS = 15;
/** How long a person takes to another window. By then, it shows what they wrote in the first one. */
const OTHER_WINDOW_MS = 50;
/** The most tabs of one browser. */
const TABS = 2;

/** Does what people do and breaks what breaks. */
export class Steps {
  readonly #world: World;
  readonly #checks: Checks;
  #texts = 0;
  #images = 0;
  /** The last text that each page sent. */
  readonly #pressed = new WeakMap<Page, string>();
  readonly #flushing = new Set<AnyBrowser>();
  /** The page in which a person was last. */
  readonly #lastUsed = new Map<Device, { page: Page; at: number }>();

  constructor(world: World, checks: Checks) {
    this.#world = world;
    this.#checks = checks;
  }

  run(step: Step): void {
    this.#checks.trace(`${step.kind} ${step.who % 100}`);
    this.#kinds[step.kind](step);
  }

  // --- Pages

  open(browser: AnyBrowser): void {
    const isTab = browser.pages.length > 0;
    if (isTab) this.#checks.hadTabs.add(browser);
    const page = this.#world.openPage(browser);
    // A new tab starts with the draft of the other one.
    for (const line of isTab ? (page.composer()?.text() ?? '').split('\n') : []) {
      const entry = this.#checks.written.get(line);
      if (entry) entry.inBoth = true;
    }
    this.#checks.opened(browser, page);
    for (const conversation of page.conversations()) this.#checks.follow(page, conversation);
  }

  close(page: Page): void {
    const composer = page.composer();
    const leaving = composer?.isBusy() ? this.#pressed.get(page) : '';
    for (const line of `${composer?.text()}\n${leaving}`.split('\n')) {
      const entry = this.#checks.written.get(line);
      if (entry === undefined) continue;
      entry.onlyDraft = true;
    }
    this.#world.closePage(page);
  }

  show(page: ConsolePage, id: string): void {
    page.act(() => page.show(id));
    for (const conversation of page.conversations()) this.#checks.follow(page, conversation);
  }

  /** Types a text at the end of what is in the composer, and sends it. */
  write(browser: AnyBrowser, page: Page): void {
    const composer = page.composer();
    const conversationId = page.composedIn();
    if (composer === undefined || conversationId === undefined || !this.#knowsDraft(page)) return;
    if (!this.#isAt(page)) return;
    this.#texts += 1;
    const text = `t${this.#texts}`;
    this.#checks.wrote(text, conversationId, browser, page);
    this.#checks.trace(`${page.owner.name} writes "${text}"`);
    const before = this.#linesIn(page);
    page.act(() => composer.write([...before, text].join('\n')));
    scheduler.after(PRESS_MS, () => this.#press(page), page.owner);
  }

  /** Whether the person is at this page, and not still at another window. */
  #isAt(page: Page): boolean {
    const last = this.#lastUsed.get(page.device);
    if (last && last.page !== page && scheduler.now < last.at + OTHER_WINDOW_MS) return false;
    this.#lastUsed.set(page.device, { page, at: scheduler.now });
    return true;
  }

  /** A person who finds the draft of another tab waits until they see whether it was sent. */
  #knowsDraft(page: Page): boolean {
    const shown = page.conversations().find((each) => each.state().id === page.composedIn());
    if (shown?.state().loaded) return true;
    const lines = (page.composer()?.text() ?? '').split('\n');
    return !lines.some((line) => this.#checks.written.get(line)?.inBoth);
  }

  /** What is in the composer, without what the writer sees as sent, perhaps by another tab. */
  #linesIn(page: Page): string[] {
    const shown = page.conversations().find((each) => each.state().id === page.composedIn());
    const sent = new Set(shown ? textsShown(shown).flatMap((text) => text.split('\n')) : []);
    const lines = new Set((page.composer()?.text() ?? '').split('\n'));
    return [...lines].filter((line) => {
      const entry = this.#checks.written.get(line);
      return entry !== undefined && !(this.#checks.hadTabs.has(entry.browser) && sent.has(line));
    });
  }

  /** Picks an image, and sends it alone. */
  #sendImage(browser: AnyBrowser, page: Page): void {
    const composer = page.composer();
    const conversationId = page.composedIn();
    if (composer === undefined || conversationId === undefined || composer.isBusy()) return;
    if (composer.text() !== '' || !this.#isAt(page)) return;
    this.#images += 1;
    const file = { name: `i${this.#images}.png`, size: 1_000 + this.#images, type: 'image/png' } as File;
    this.#checks.picked(file.name, conversationId, browser);
    this.#checks.trace(`${page.owner.name} sends ${file.name}`);
    page.act(() => composer.pick(file));
    scheduler.after(PRESS_MS, () => this.#press(page), page.owner);
  }

  #press(page: Page): void {
    const composer = page.composer();
    if (composer === undefined || composer.isBusy() || !this.#isAt(page)) return;
    this.#checks.pressedSend(composer.text(), page);
    this.#pressed.set(page, composer.text());
    page.act(() => composer.send());
  }

  /** Sends the draft that the page shows, unless it was sent before the page closed. */
  sendDraft(page: Page): void {
    const composer = page.composer();
    if (composer === undefined || composer.text() === '' || !this.#knowsDraft(page)) return;
    const left = this.#linesIn(page);
    page.act(() => composer.write(left.join('\n')));
    if (left.length > 0) scheduler.after(PRESS_MS, () => this.#press(page), page.owner);
  }

  // --- Choosing

  #visitor({ who }: Step): VisitorBrowser | undefined {
    return choose(this.#world.visitors, who);
  }

  #visitorPage({ who, what }: Step): [VisitorBrowser, Page] | undefined {
    const browser = choose(
      this.#world.visitors.filter(({ pages }) => pages.length > 0),
      who,
    );
    const page = browser && choose(browser.pages, what);
    return browser && page && [browser, page];
  }

  #console({ who, what }: Step): [StaffBrowser, ConsolePage] | undefined {
    const browser = choose(
      this.#world.staff.filter(({ pages }) => pages.some(({ signedOut }) => !signedOut)),
      who,
    );
    const page = browser && choose(browser.pages, what);
    return browser && page && [browser, page];
  }

  #conversation({ what }: Step): string {
    return choose(this.#world.conversationIds, what) ?? '';
  }

  /** A call of a handler about the conversation on their screen. */
  #act(step: Step, run: (app: App, staff: Staff, id: string) => Promise<unknown>): void {
    const found = this.#console(step);
    const id = found?.[1].composedIn();
    if (found === undefined || id === undefined) return;
    const [browser, page] = found;
    void this.#world.callAs(browser, page.owner, (app, caller) => run(app, caller as Staff, id));
  }

  async #setStatus(step: Step, status: 'open' | 'closed' | 'blocked'): Promise<void> {
    const [browser, page] = this.#console(step) ?? [];
    const shown = page?.shown()?.state();
    if (browser === undefined || page === undefined || shown === undefined) return;
    const from = shown.view?.status as 'open' | 'closed' | 'blocked' | undefined;
    const ask = async (_: string, { body }: { body: Parameters<typeof setStatus>[2] }) => {
      const run = (app: App, caller: Caller, { previous }: Gateway) => {
        if (previous && Object.keys(body).length > 1) throw new Refusal('bad_request');
        return changeStatus(app, caller as Staff, shown.id, body);
      };
      return (await this.#world.callAs(browser, page.owner, run)) ?? { ok: false };
    };
    const body = status === 'blocked' ? { status, reason: 'Spam' } : { status, ...(from && { from }) };
    const answer = await setStatus(ask as unknown as Api<'setStatus'>, shown.id, body);
    if (!answer.ok && answer.code === 'bad_request')
      this.#checks.violated('actions', `${page.owner.name} cannot make a conversation ${status}`);
  }

  #link({ who }: Step) {
    return choose([...this.#world.links], who);
  }

  readonly #kinds: Record<StepKind, (step: Step) => void> = {
    write: (step) => {
      const found = this.#visitorPage(step);
      if (found) this.write(...found);
    },
    reply: (step) => {
      const found = this.#console(step);
      if (found === undefined) return;
      const [browser, page] = found;
      if (page.shown() === undefined || page.shown()?.state().gone) this.show(page, this.#chatOf(page, step));
      if (page.composedIn() !== '') this.write(browser, page);
    },
    image: (step) => {
      const found = this.#visitorPage(step);
      if (found) this.#sendImage(...found);
    },
    replyImage: (step) => {
      const found = this.#console(step);
      if (found) this.#sendImage(...found);
    },
    retryImage: (step) => {
      const page = choose(this.#world.openPages(), step.who);
      const failed = page
        ?.uploads()
        ?.list()
        .find(({ state }) => state === 'failed');
      if (failed) page?.act(() => page.uploads()?.retry(failed.id));
    },
    cancelImage: (step) => {
      const page = choose(this.#world.openPages(), step.who);
      const upload = choose(page?.uploads()?.list() ?? [], step.what);
      if (page === undefined || upload === undefined) return;
      this.#checks.gaveUp(upload.name);
      page.act(() => page.uploads()?.cancel(upload.id));
    },
    killWorker: () => this.#world.worker.kill(),
    look: (step) => {
      const page = choose(this.#world.openPages(), step.who);
      const conversation = page instanceof ConsolePage ? page.shown() : page?.conversations()[0];
      if (page === undefined || conversation === undefined) return;
      const last = conversation.state().log.messages.at(-1)?.seq ?? 0;
      const seq = step.what % 4 === 0 ? Math.max(0, last - 1) : last;
      if (seq > 0) page.act(() => conversation.looked(seq));
    },
    type: (step) => {
      const page = choose(this.#world.openPages(), step.who);
      page?.act(() => page.conversations()[0]?.typing());
    },
    show: (step) => {
      const page = this.#console(step)?.[1];
      if (page) this.show(page, this.#chatOf(page, step));
    },
    closePage: (step) => {
      const page = choose(this.#world.openPages(), step.who);
      if (page) this.close(page);
    },
    openPage: (step) => {
      const closed = this.#world.browsers().filter(({ pages }) => pages.length === 0);
      const browser = choose(closed, step.who);
      if (browser) this.open(browser);
    },
    openTab: (step) => {
      const browser = this.#visitor(step);
      if (browser && browser.pages.length < TABS) this.open(browser);
    },
    wake: (step) => choose(this.#world.openPages(), step.who)?.wake(),
    retry: (step) => {
      const page = choose(this.#world.openPages(), step.who);
      const conversation = page instanceof ConsolePage ? page.shown() : page?.conversations()[0];
      const failed = conversation?.state().pending.find((each) => !isQueued(each));
      if (failed) page?.act(() => conversation?.retry(failed.id));
    },
    flushOutbox: (step) => {
      const browser = this.#visitor(step);
      if (browser) void this.flush(browser);
    },
    close: (step) => void this.#setStatus(step, 'closed'),
    reopen: (step) => void this.#setStatus(step, 'open'),
    block: (step) => void this.#setStatus(step, 'blocked'),
    handOver: (step) =>
      this.#act(step, async (app, staff, id) => {
        const alias = choose(
          this.#world.aliases.filter((each) => staff.desks.length > 1 || each !== staff.alias),
          step.what,
        );
        if (alias !== undefined) await transfer(app, staff, id, { alias, note: 'yours' });
      }),
    markUnread: (step) => this.#act(step, (app, staff, id) => markUnread(app, staff, id, true)),
    snooze: (step) =>
      this.#act(step, (app, staff, id) =>
        snooze(app, staff, id, app.clock.now() + 1_000 + (step.what % 60_000)),
      ),
    removeDevice: (step) => {
      const browser = choose(
        this.#world.visitors.filter((_, at) => this.#world.plan.secondDevices && at % 2 === 1),
        step.who,
      );
      if (browser === undefined) return;
      const { conversationId, visitor } = browser;
      void this.#world.callAsAdmin((app, caller) =>
        removeDevice(app, caller, {
          conversationId,
          deviceId: deviceIdOf(app, conversationId, visitor.visitorId),
        }),
      );
    },
    erase: (step) => {
      const browser = this.#visitor(step);
      if (browser === undefined) return;
      const { conversationId: id } = browser;
      if (step.what % 2 === 0)
        void this.#world.callAsAdmin((app, caller) => eraseConversation(app, caller as Staff, id, undefined));
      else
        void this.#world.callAs(browser, simulation, (app, caller) => eraseOwn(app, caller as Visitor, id));
    },
    signOut: (step) => {
      const browser = choose(this.#world.staff, step.who);
      if (browser)
        void this.#world.callAsAdmin((app, caller) =>
          signOutEverywhere(app, caller as Staff, browser.staffId),
        );
    },
    signIn: (step) => {
      const browser = choose(
        this.#world.staff.filter(({ pages }) => pages.some(({ signedOut }) => signedOut)),
        step.who,
      );
      if (browser) this.signIn(browser);
    },
    moveDesk: (step) => {
      const browser = choose(this.#world.staff, step.who);
      if (browser === undefined) return;
      const { staffId } = browser;
      const { state, aliases, plan } = this.#world;
      const now = state.staff.get(staffId)?.alias;
      const alias = aliases.find((each) => each !== now);
      if (alias === undefined) return;
      // A gateway of the previous release knows the first desk only.
      const both = plan.severalDesks && step.what % 2 === 0;
      const desks = step.what % 3 === 0 ? [...aliases] : [alias, ...aliases.filter((each) => each === now)];
      void this.#world.callAsAdmin((app, caller) =>
        changePerson(app, caller as Staff, staffId, {
          person: both ? { desks } : { alias },
          bringAlong: false,
        }),
      );
    },
    mute: (step) => {
      const browser = choose(this.#world.browsers(), step.who);
      if (browser)
        void this.#world.callAs(browser, simulation, (app, caller) => dropPush(app, caller, browser.name));
    },
    away: (step) => {
      const found = this.#console(step);
      if (found === undefined) return;
      void this.#world.callAs(found[0], found[1].owner, (app, caller) =>
        setAway(app, caller as Staff, step.what),
      );
    },
    cut: (step) => this.#link(step)?.reset(),
    stall: (step) => this.#link(step)?.stall(),
    killGateway: ({ who, what }) => this.#world.killGateway(who % this.#world.slots.length, what % 4 === 0),
    stopGateway: ({ who }) => this.#world.stopGateway(who % this.#world.slots.length),
    separate: ({ who, what }) => {
      const slot = choose(this.#world.slots, who);
      if (slot) this.#world.bus.separate(slot.owner, what % 5_000);
    },
    databaseOutage: ({ what }) => this.#world.databaseOutage(what % 3_000),
    oddGateway: ({ who, what }) => {
      const slot = choose(this.#world.slots, who);
      if (slot === undefined) return;
      slot.odd = true;
      scheduler.after(what % 15_000, () => Object.assign(slot, { odd: false }), simulation);
    },
  };

  /** A conversation of the queue, or any other. */
  #chatOf(page: ConsolePage, step: Step): string {
    const rows = page.console.get().queue ?? [];
    return choose(rows, step.what)?.conversationId ?? this.#conversation(step);
  }

  signIn(browser: StaffBrowser): void {
    for (const page of [...browser.pages]) this.close(page);
    browser.sessionId = this.#world.newSession(browser.staffId);
    this.open(browser);
  }

  /** The service worker sends what is in the outbox, beside the page or without one. */
  async flush(browser: VisitorBrowser): Promise<void> {
    if (this.#flushing.has(browser)) return;
    this.#flushing.add(browser);
    const worker: Owner = { name: `${browser.name} worker`, dead: false };
    type Sent = { id: string; after?: number } & ({ text: string } | { mediaId: string });
    const send = async (conversationId: string, body: Sent) => {
      const run = async (app: App, caller: Caller) =>
        sendOverHttp(app, await accessTo(app, caller, conversationId), { conversationId, ...body });
      const result = await this.#world.callAs(browser, worker, run);
      if (result === undefined) return { ok: false, code: undefined, text: 'no answer', status: 0 };
      return result.ok ? result : { ...result, text: '', status: 400 };
    };
    const api = (
      _: string,
      { params: { id, ...image }, body }: { params: { id: string }; body: { id: string; text: string } },
    ) => send(id, { ...body, ...image });
    const onRefused = (id: string): void => {
      for (const entry of browser.device.unsent('visitor'))
        if (entry.id === id) this.#checks.returned(entry.text, id);
    };
    await scheduler
      .as(worker, () =>
        flushOutbox({ outbox: browser.device.outbox('visitor', worker), api: api as never, onRefused }),
      )
      .catch(() => {});
    this.#flushing.delete(browser);
  }
}

/** As a whole, or at one of several desks. */
function setAway(app: App, staff: Staff, what: number): Promise<void> {
  const desk = choose(staff.desks, what >> 2);
  const off = what % 2 === 0;
  if (desk === undefined || staff.desks.length < 2 || what % 4 < 2) return setAvailability(app, staff, off);
  return setDeskOff(app, staff, { alias: desk.alias, off });
}

function choose<T>(from: readonly T[], number: number): T | undefined {
  return from[number % from.length];
}
