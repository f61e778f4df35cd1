import { VisitorDown } from '@settee/protocol/frames/down';
import { useWriting } from '../../web/src/chat/composer/useWriting.ts';
import { storedDrafts } from '../../web/src/chat/model/drafts.ts';
import { entriesOf } from '../../web/src/chat/model/entries.ts';
import { type LiveConversation, startLiveConversation } from '../../web/src/chat/model/liveConversation.ts';
import { useStaffWriting } from '../../web/src/handler/composer/useStaffWriting.ts';
import { type Console, startConsole } from '../../web/src/handler/console.ts';
import { SignedInContext } from '../../web/src/handler/context.ts';
import { type DraftStore, draftStore } from '../../web/src/handler/draftStore.ts';
import type { IdToken, Live } from '../../web/src/net/live.ts';
import { randomId } from '../../web/src/net/randomId.ts';
import { tokenHolder } from '../../web/src/net/tokens.ts';
import type { SessionStore } from '../../web/src/staff/session.ts';
import { ToastsContext, toastStore } from '../../web/src/staff/toast/toasts.ts';
import type { Device } from './device.ts';
import type { Link } from './network.ts';
import { type Browser, startIn } from './replaced/browser.ts';
import { startBrowserLive } from './replaced/browserLive.ts';
import { mount } from './replaced/react.ts';
import { type Owner, scheduler, virtualClock } from './time.ts';

/** How long a person takes until they type in a conversation that they opened. */
const FIND_MS = 60;

/** What a page needs from the rest of the simulation. */
export type Surroundings = {
  openSocket(page: Page): Link;
  token(page: Page): Promise<IdToken>;
};

/** A composer: the product's hooks, without a browser. */
type Composer = {
  text(): string;
  write(text: string): void;
  send(): void;
  isBusy(): boolean;
  unmount(): void;
};

/** An open page. Its code stops at once when it closes. */
export abstract class Page {
  readonly owner: Owner;
  readonly device: Device;
  readonly links = new Set<Link>();
  #doubts = new Set<{ wake: () => void; offline: () => void }>();
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
  protected abstract whose(): string;

  /** The page's code, as an event of this page. */
  act(run: () => void): void {
    if (!this.owner.dead) scheduler.as(this.owner, run);
  }

  wake(): void {
    this.act(() => {
      for (const { wake } of this.#doubts) wake();
    });
  }

  close(): void {
    if (this.owner.dead) return;
    this.owner.dead = true;
    for (const link of this.links) link.leave();
  }

  protected browser(): Browser {
    return {
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
    };
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
  online: boolean | undefined;

  constructor(name: string, device: Device, conversationId: string, surroundings: Surroundings) {
    super(name, device, surroundings);
    const started = scheduler.as(this.owner, () => this.#start(conversationId));
    this.#live = started.live;
    this.conversation = started.conversation;
    this.#composer = started.composer;
  }

  /** As visitor/connection.ts and ChatRoom.tsx do. */
  #start(id: string) {
    const browser = this.browser();
    const tokens = tokenHolder(virtualClock, () => this.surroundings.token(this));
    const live = startIn(browser, () =>
      startBrowserLive(VisitorDown, (fresh) => (fresh ? tokens.renew() : tokens.get())),
    );
    live.onFrame((frame) => {
      if (frame.type === 'welcome' || frame.type === 'presence') this.online = frame.online;
    });
    const conversation = startLiveConversation({
      id,
      me: 'visitor',
      live,
      outbox: browser.outbox(this.whose()),
      clock: virtualClock,
      random: Math.random,
      createId: randomId,
    });
    const drafts = storedDrafts(() => this.device.storage);
    const field = { current: null };
    const component = mount(() =>
      useWriting({
        field,
        draft: drafts.read(id),
        onDraft: (text) => drafts.write(id, text),
        onSend: conversation.send,
      }),
    );
    const composer: Composer = {
      text: () => component.result.text,
      write: (text) => component.result.write(text),
      send: () => void component.result.send(),
      isBusy: () => component.result.busy,
      unmount: () => component.unmount(),
    };
    return { live, conversation, composer };
  }

  whose(): string {
    return 'visitor';
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
  readonly drafts: DraftStore;
  readonly opened = new Map<string, LiveConversation>();
  /** The session ended: the page shows the sign-in form. */
  signedOut = false;
  #shown:
    | { id: string; since: number; conversation: LiveConversation; composer: Composer; hide: () => void }
    | undefined;

  constructor(name: string, device: Device, staffId: string, surroundings: Surroundings) {
    super(name, device, surroundings);
    this.staffId = staffId;
    this.drafts = draftStore(staffId, () => device.storage);
    const tokens = tokenHolder(virtualClock, () => this.surroundings.token(this));
    const session = { tokens, ended: () => this.end() } as unknown as SessionStore;
    this.console = scheduler.as(this.owner, () =>
      startIn(this.browser(), () => startConsole(session, staffId, this.drafts)),
    );
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
    const picks = {
      images: [],
      checking: 0,
      problem: null,
      whenChecked: () => undefined,
      handTo: async () => {},
    };
    const toasts = toastStore();
    const signedIn = { drafts: this.drafts, console: this.console };
    const component = mount(() => {
      Object.assign(SignedInContext, { value: signedIn });
      Object.assign(ToastsContext, { value: toasts });
      return useStaffWriting({
        field,
        conversation,
        state: conversation.state(),
        picks: picks as unknown as Parameters<typeof useStaffWriting>[0]['picks'],
        onNote: async () => {},
        onTyping: () => conversation.typing(),
      });
    });
    const unsubscribe = conversation.subscribe(() => component.changed());
    const composer: Composer = {
      text: () => component.result.reply.text,
      write: (text) => component.result.reply.write(text),
      send: () => void component.result.send(),
      isBusy: () => component.result.reply.busy,
      unmount: () => {
        unsubscribe();
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
