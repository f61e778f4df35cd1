import type { InviteState } from '@settee/protocol/model/invite';

/** The states of the invite page, as in the specification. */
export type Page =
  | { view: 'loading' }
  /** `again` if no answer came: the page retries, by itself and on request. */
  | { view: 'error'; reason: string; title?: string | undefined; again?: boolean | undefined }
  | { view: 'unclaimed'; invite: InviteState; starting: boolean }
  /** `note` explains the code before the first attempt. `error` belongs to the last attempt. */
  | { view: 'needsCode'; attaching: boolean; note: string | null; error: string | null }
  | {
      view: 'active';
      invite: InviteState;
      /** Null until the visitor gave a name. */
      conversationId: string | null;
      /** If true, show the messages and the composer. */
      named: boolean;
      saving: boolean;
      nameError: string | null;
      /** The code in the banner. Null after dismissal. */
      banner: string | null;
      /** The visitor asked for the code, and may want another. Otherwise it was just made. */
      mayRenew: boolean;
      /** Number of failed requests for a code. */
      codeFailures: number;
      codeError: string;
    };

/** Whether to open the chat. Opening it while the name is being saved avoids a round trip. */
export function opensChat(page: Page): boolean {
  return page.view === 'active' && (page.named || page.saving) && page.conversationId !== null;
}

export type PageEvent =
  /** With a title, the visitor caused it, and it stays. */
  | { type: 'failed'; reason: string; title?: string; again?: boolean }
  | { type: 'retried' }
  | { type: 'invited'; invite: InviteState }
  | { type: 'starting' }
  | { type: 'started' }
  | { type: 'codeNeeded'; note: string | null }
  | { type: 'attaching' }
  | { type: 'codeFailed'; error: string }
  /** This device is attached, by its cookie, a code or a claim. */
  | { type: 'attached'; conversationId: string; named: boolean; banner: string | null }
  | { type: 'saving' }
  | { type: 'nameFailed'; error: string }
  | { type: 'named' }
  /** The visitor asked for the code, or for a new one. */
  | { type: 'codeShown'; code: string }
  | { type: 'codeRenewFailed'; error: string }
  /** The valid code, or null. */
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
    case 'codeShown':
      return page.view === 'active' ? { ...page, banner: event.code, mayRenew: true, codeFailures: 0 } : page;
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
  mayRenew: false,
  codeFailures: 0,
  codeError: '',
};
