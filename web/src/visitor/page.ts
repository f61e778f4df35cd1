import type { InviteState } from '@settee/protocol/model/invite';

/** The invite page, as the specification names its states. */
export type Page =
  | { view: 'loading' }
  /** `again` when no answer came: the page asks again, by itself and when told to. */
  | { view: 'error'; reason: string; title?: string | undefined; again?: boolean | undefined }
  | { view: 'unclaimed'; invite: InviteState; starting: boolean }
  /** `note` says what is asked for, before any attempt; `error` what was wrong with the last one. */
  | { view: 'needsCode'; attaching: boolean; note: string | null; error: string | null }
  | {
      view: 'active';
      invite: InviteState;
      /** None until the first name is given. */
      conversationId: string | null;
      /** Once set, the messages and the composer show. */
      named: boolean;
      saving: boolean;
      nameError: string | null;
      /** The code in the banner, until it is dismissed. */
      banner: string | null;
      /** How often a fresh code was asked for and could not be had. */
      codeFailures: number;
      codeError: string;
    };

/** Whether the page opens the chat: with a name, or while the name is being saved, which saves a round trip. */
export function opensChat(page: Page): boolean {
  return page.view === 'active' && (page.named || page.saving) && page.conversationId !== null;
}

export type PageEvent =
  /** With a title of its own it is what the visitor asked for, and stays. */
  | { type: 'failed'; reason: string; title?: string; again?: boolean }
  | { type: 'retried' }
  | { type: 'invited'; invite: InviteState }
  | { type: 'starting' }
  | { type: 'started' }
  | { type: 'codeNeeded'; note: string | null }
  | { type: 'attaching' }
  | { type: 'codeFailed'; error: string }
  /** This device holds a place: by its cookie, by the code, or by a claim. */
  | { type: 'attached'; conversationId: string; named: boolean; banner: string | null }
  | { type: 'saving' }
  | { type: 'nameFailed'; error: string }
  | { type: 'named' }
  | { type: 'codeRenewed'; code: string }
  | { type: 'codeRenewFailed'; error: string }
  /** The code that works now; null when none does. */
  | { type: 'codeChanged'; code: string | null; error: string }
  | { type: 'bannerDismissed' };

export function pageReducer(page: Page, event: PageEvent): Page {
  switch (event.type) {
    case 'failed':
      return page.view === 'error' && page.title
        ? page
        : { view: 'error', reason: event.reason, title: event.title, again: event.again || undefined };
    case 'retried':
      return { view: 'loading' };
    case 'invited':
      return { view: 'unclaimed', invite: event.invite, starting: false };
    case 'starting':
      return page.view === 'unclaimed' ? { ...page, starting: true } : page;
    case 'started':
      return page.view === 'unclaimed' ? { ...firstVisit, invite: page.invite } : page;
    case 'codeNeeded':
      return { view: 'needsCode', attaching: false, note: event.note, error: null };
    case 'attaching':
      return { view: 'needsCode', attaching: true, note: null, error: null };
    case 'codeFailed':
      return { view: 'needsCode', attaching: false, note: null, error: event.error };
    case 'attached':
      return {
        ...(page.view === 'active' ? page : firstVisit),
        invite: 'BOUND',
        conversationId: event.conversationId,
        named: event.named,
        banner: event.banner,
      };
    case 'saving':
      return page.view === 'active' ? { ...page, saving: true, nameError: null } : page;
    case 'nameFailed':
      return page.view === 'active' ? { ...page, saving: false, nameError: event.error } : page;
    case 'named':
      return page.view === 'active' ? { ...page, saving: false, nameError: null, named: true } : page;
    case 'codeRenewed':
      return page.view === 'active' ? { ...page, banner: event.code, codeFailures: 0 } : page;
    case 'codeRenewFailed':
      return page.view === 'active'
        ? { ...page, codeFailures: page.codeFailures + 1, codeError: event.error }
        : page;
    case 'codeChanged':
      if (page.view !== 'active' || page.banner === null) return page;
      return event.code
        ? { ...page, banner: event.code }
        : pageReducer({ ...page, banner: null }, { type: 'codeRenewFailed', error: event.error });
    case 'bannerDismissed':
      return page.view === 'active' ? { ...page, banner: null } : page;
  }
}

const firstVisit: Extract<Page, { view: 'active' }> = {
  view: 'active',
  invite: 'NEW',
  conversationId: null,
  named: false,
  saving: false,
  nameError: null,
  banner: null,
  codeFailures: 0,
  codeError: '',
};
