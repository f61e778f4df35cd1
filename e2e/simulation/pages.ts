import { VisitorDown } from '@settee/protocol/frames/down';
import { useWriting } from '../../web/src/chat/composer/useWriting.ts';
import { hasPicks, usePicks } from '../../web/src/chat/images/pick/pickStore.ts';
import type { Upload, Uploads } from '../../web/src/chat/images/upload/upload.ts';
import { useImages } from '../../web/src/chat/images/useImages.ts';
import { entriesOf } from '../../web/src/chat/model/entries.ts';
import { type LiveConversation, startLiveConversation } from '../../web/src/chat/model/liveConversation.ts';
import { openDraft } from '../../web/src/chat/outbox/draft.ts';
import { staffStorageKey } from '../../web/src/chat/outbox/outbox.ts';
import { browserUnsent, type UnsentStore } from '../../web/src/chat/outbox/unsentStore.ts';
import { useStaffWriting } from '../../web/src/handler/composer/useStaffWriting.ts';
import { type Console, startConsole } from '../../web/src/handler/console.ts';
import { SignedInContext } from '../../web/src/handler/context.ts';
import { tokenHolder } from '../../web/src/net/api.ts';
import type { IdToken, Live } from '../../web/src/net/live.ts';
import { randomId } from '../../web/src/net/randomId.ts';
import type { SessionStore } from '../../web/src/staff/session.ts';
import { ToastsContext, toastStore } from '../../web/src/staff/toast/toasts.ts';
import type { Device } from './device.ts';
import type { Link } from './network.ts';
import { type Browser, giveBrowser } from './replaced/browser.ts';
import { startBrowserLive } from './replaced/modules.ts';
import { mount } from './replaced/react.ts';
import { type Owner, scheduler, virtualClock } from './time.ts';

/** How long a person takes until they type in a conversation that they opened. */
const FIND_MS = 60;

/** What a page needs from the rest of the simulation. */
export type Surroundings = {
  openSocket(page: Page): Link;
  fetch(page: Page, address: string, request: RequestInit): Promise<Response>;
  put: (page: Page, ...request: Parameters<Browser['put']>) => () => void;
  /** The page shows these uploads. */
  uploads(list: readonly Upload[]): void;
  token(page: Page): Promise<IdToken>;
};

/** A composer: the product's hooks, without a browser. */
type Composer = {
  text(): string;
  write(text: string): void;
  pick(file: File): void;
  send(): void;
  isBusy(): boolean;
  unmount(): void;
};

/** An open page. Its code stops at once when it closes. */
export abstract class Page {
  readonly owner: Owner;
  readonly device: Device;
  readonly links = new Set<Link>();
  readonly #doubts = new Set<{ wake: () => void; offline: () => void }>();
  readonly #online = new Set<() => void>();
  protected readonly surroundings: Surroundings;

  constructor(name: string, device: Device, surroundings: Surroundings) {
    this.owner = { name, dead: false };
    this.device = device;
    this.surroundings = surroundings;
  }

  abstract readonly side: 'visitor' | 'owner';
  abstract status(): string;
  abstract conversations(): LiveConversation[];
  abstract composer(): Composer | undefined;
  abstract composedIn(): string | undefined;
  abstract allUploads(): readonly Upload[];
  /** The uploads of the conversation on the screen. */
  abstract uploads(): Pick<Uploads, 'list' | 'retry' | 'cancel'> | undefined;
  protected abstract whose(): string;

  /** The page's code, as an event of this page. */
  act(run: () => void): void {
    if (!this.owner.dead) scheduler.as(this.owner, run);
  }

  wake(): void {
    this.act(() => {
      for (const { wake } of this.#doubts) wake();
      for (const listener of [...this.#online]) listener();
    });
  }

  close(): void {
    if (this.owner.dead) return;
    this.owner.dead = true;
    for (const link of this.links) link.leave();
    this.device.locks.pageClosed(this.owner);
  }

  protected browser(): Browser {
    const browser: Browser = {
      openSocket: () => {
        const link = this.surroundings.openSocket(this);
        this.links.add(link);
        return link.clientSocket();
      },
      outbox: (whose) => this.device.outbox(whose, this.owner),
      onDoubt: (doubt) => {
        this.#doubts.add(doubt);
        return () => this.#doubts.delete(doubt);
      },
      storage: this.device.storageOf(this.owner),
      database: (name) => this.device.database(name, this.owner),
      locks: this.device.locks.of(this.owner),
      online: this.#online,
      stored: this.device.listeners(this.owner),
      fetch: (address, request) => this.surroundings.fetch(this, address, request),
      put: (...request) => this.surroundings.put(this, ...request),
    };
    giveBrowser(this.owner, browser);
    return browser;
  }

  unsent(): ReturnType<Device['unsent']> {
    return this.device.unsent(this.whose());
  }
}

/** The visitor's chat page. */
export class VisitorPage extends Page {
  readonly side = 'visitor';
  readonly conversation: LiveConversation;
  readonly #live: Live;
  readonly #composer: Composer;
  readonly #uploads: () => Uploads | undefined;
  online: boolean | undefined;

  constructor(name: string, device: Device, conversationId: string, surroundings: Surroundings) {
    super(name, device, surroundings);
    const started = scheduler.as(this.owner, () => this.#start(conversationId));
    this.#live = started.live;
    this.conversation = started.conversation;
    this.#composer = started.composer;
    this.#uploads = started.uploads;
  }

  /** As visitor/connection.ts and ChatRoom.tsx do. */
  #start(id: string) {
    this.browser();
    const unsent = browserUnsent(this.whose());
    const tokens = tokenHolder(virtualClock, () => this.surroundings.token(this));
    const live = startBrowserLive(VisitorDown, (fresh) => (fresh ? tokens.renew() : tokens.get()));
    live.onFrame((frame) => {
      if (frame.type === 'welcome' || frame.type === 'presence') this.online = frame.online;
    });
    const conversation = startLiveConversation({
      id,
      me: 'visitor',
      live,
      outbox: unsent,
      clock: virtualClock,
      random: Math.random,
      createId: randomId,
    });
    const draft = openDraft(unsent, id);
    const field = { current: null };
    const component = mount(() => {
      const { images, uploads, open } = useImages(conversation, this.whose(), tokens);
      this.surroundings.uploads(uploads);
      const picks = usePicks();
      const writing = useWriting({
        field,
        draft,
        hasMore: hasPicks(picks),
        whenChecked: picks.whenChecked,
        async onSend(taken) {
          await picks.handTo(async () => (await open()).uploads);
          if (taken) await conversation.send(taken.text, taken.id);
        },
      });
      return { writing, picks, images };
    });
    const composer: Composer = {
      text: () => component.result.writing.text,
      write: (text) => component.result.writing.write(text),
      pick: (file) => component.result.picks.add([file]),
      send: () => void component.result.writing.send(),
      isBusy: () => component.result.writing.busy,
      unmount: () => component.unmount(),
    };
    return { live, conversation, composer, uploads: () => component.result.images?.uploads };
  }

  whose(): string {
    return 'visitor';
  }
  uploads(): Uploads | undefined {
    return this.#uploads();
  }
  allUploads(): readonly Upload[] {
    return this.uploads()?.list() ?? [];
  }
  status(): string {
    return this.#live.status();
  }
  conversations(): LiveConversation[] {
    return [this.conversation];
  }
  composer(): Composer {
    return this.#composer;
  }
  composedIn(): string {
    return this.conversation.state().id;
  }
}

/** A handler's console. At most one conversation is shown. */
export class ConsolePage extends Page {
  readonly side = 'owner';
  readonly staffId: string;
  readonly console: Console;
  readonly unsentTexts: UnsentStore;
  readonly opened = new Map<string, LiveConversation>();
  /** The session ended: the page shows the sign-in form. */
  signedOut = false;
  #shown:
    | { id: string; since: number; conversation: LiveConversation; composer: Composer; hide: () => void }
    | undefined;

  constructor(name: string, device: Device, staffId: string, surroundings: Surroundings) {
    super(name, device, surroundings);
    this.staffId = staffId;
    const tokens = tokenHolder(virtualClock, () => this.surroundings.token(this));
    const session = { tokens, ended: () => this.end() } as unknown as SessionStore;
    const started = scheduler.as(this.owner, () => {
      this.browser();
      const unsent = browserUnsent(staffStorageKey(staffId));
      const desk = startConsole(session, staffId, unsent);
      desk.images.subscribe(() => surroundings.uploads(this.allUploads()));
      return { desk, unsent };
    });
    this.console = started.desk;
    this.unsentTexts = started.unsent;
  }

  allUploads(): readonly Upload[] {
    return [...this.opened.values()].flatMap((each) => this.console.images.uploads(each));
  }

  /** Shows the sign-in form. */
  end(): void {
    this.signedOut = true;
    this.hide();
    this.console.stop();
  }

  /** Shows a conversation, as ConversationPage does. */
  show(id: string): void {
    if (this.signedOut) return;
    if (this.#shown?.id === id && !this.#shown.conversation.state().gone) return;
    this.hide();
    const conversation = this.console.openConversation(id);
    this.opened.set(id, conversation);
    const hide = this.console.showConversation(conversation);
    const field = { current: { focus() {}, value: '' } as unknown as HTMLTextAreaElement };
    const picks = this.console.images.picks(conversation);
    const toasts = toastStore();
    const signedIn = { unsent: this.unsentTexts, console: this.console };
    const component = mount(() => {
      Object.assign(SignedInContext, { value: signedIn });
      Object.assign(ToastsContext, { value: toasts });
      return useStaffWriting({
        field,
        conversation,
        picks: { ...picks, ...picks.state() },
        onNote: async () => {},
        onTyping: () => conversation.typing(),
      });
    });
    const subscribed = [conversation, picks].map(({ subscribe }) => subscribe(() => component.changed()));
    const composer: Composer = {
      text: () => component.result.reply.text,
      write: (text) => component.result.reply.write(text),
      pick: (file) => picks.add([file]),
      send: () => void component.result.send(),
      isBusy: () => component.result.reply.busy,
      unmount: () => {
        for (const unsubscribe of subscribed) unsubscribe();
        component.unmount();
      },
    };
    this.#shown = { id, since: scheduler.now, conversation, composer, hide };
  }

  hide(): void {
    const shown = this.#shown;
    this.#shown = undefined;
    shown?.composer.unmount();
    shown?.hide();
  }

  whose(): string {
    return `owner-${this.staffId}`;
  }
  status(): string {
    return this.console.line.status();
  }
  /** Without those that are gone, which the console no longer follows. */
  conversations(): LiveConversation[] {
    const shown = this.shown();
    return [...this.opened.values()].filter((each) => each === shown || !each.state().gone);
  }
  shown(): LiveConversation | undefined {
    return this.#shown?.conversation;
  }
  uploads(): Uploads | undefined {
    const shown = this.shown();
    return shown && this.console.images.now(shown)?.uploads;
  }
  /** Nobody finds the composer in a moment. By then, the outbox has what they sent before they left the chat. */
  composer(): Composer | undefined {
    const shown = this.#shown;
    return shown && scheduler.now > shown.since + FIND_MS ? shown.composer : undefined;
  }
  composedIn(): string | undefined {
    return this.#shown?.id;
  }
}

/** The texts that a page shows in a conversation, stored or not. */
export function textsShown(conversation: LiveConversation): string[] {
  return entriesOf(conversation.state()).map(({ text }) => text);
}
