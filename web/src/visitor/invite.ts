import { isUnnamed } from '@settee/protocol/model/visitor';
import { texts } from '@settee/protocol/texts/texts';
import type { Api, Result, TokenHolder } from '../net/api.ts';
import type { IdToken } from '../net/live.ts';
import { retryUntilAnswered } from '../net/retry.ts';
import type { Claim } from './claim.ts';
import type { VisitorApi } from './connection.ts';
import { cookieProblem } from './cookieProblem.ts';
import { loadForms } from './loadForms.ts';
import type { PageEvent } from './page.ts';
import type { SavedChat } from './savedChat.ts';

type Parts = {
  token: string;
  api: VisitorApi;
  /** The same calls without retries. */
  once: VisitorApi;
  tokens: TokenHolder;
  saved: SavedChat;
  now: () => number;
  dispatch: (event: PageEvent) => void;
  /** Deletes the chats that were left from this device. */
  forgetLeft: () => void;
  /** Survives a reload of this tab, and nothing else. */
  tab: { read(): Farewell | undefined; write(farewell: Farewell): void };
};

/** What the page says after the visitor erased the chat. */
export type Farewell = { title: string; reason: string };

export type InviteFlow = Claim & {
  load(): Promise<void>;
  /** The server revoked access. Shows whether the chat was erased for everybody. */
  onAccessLost(isErased: boolean): Promise<void>;
  start(): Promise<void>;
  /** Shows the code that works. */
  showCode(code: string): void;
  /** The server reported the valid code. */
  codeChanged(code: string | null): void;
  /** The visitor erased the chat on this device. */
  erased(farewell: Farewell): void;
};

/** The pause before the page tries again by itself, in ms. */
export const retryPause = () => 3_000 + Math.random() * 6_000;

/** The flow from an opened invite link to an attached device. */
export function inviteFlow({
  token,
  api,
  once,
  tokens,
  saved,
  now,
  dispatch,
  forgetLeft,
  tab,
}: Parts): InviteFlow {
  const claimBody = () => ({ token, csrf: String(now()) });
  const attach = (code: string) => api('attachInvite', { body: { ...claimBody(), code } });
  let seen: Promise<void> | undefined;
  let cookieStored = true;
  /** The name entered before this device was attached. */
  let typedName = '';

  async function hasCookie(): Promise<boolean> {
    // Over https, the server refuses a claim without a cookie. Over http it cannot tell.
    if (globalThis.isSecureContext === false) await seen;
    return cookieStored;
  }

  // The forms call this, so their script is already loaded.
  const parts = { api, saved, dispatch, claimBody, attach, openConversation, refreshToken, hasCookie };
  const claim = async () => (await loadForms()).claim({ ...parts, typedName: () => typedName });

  /**
   * Attaching a device changes the visitor's credential, so the old token no longer works. The answer may carry a new
   * one. If no token can be had now, the next call asks for one.
   */
  async function refreshToken(answer: object): Promise<void> {
    const { idToken, expiresAt } = answer as Partial<IdToken>;
    if (idToken && expiresAt) return tokens.keep({ idToken, expiresAt });
    await tokens.renew().catch((error: unknown) => console.error('signInAnonymously:', error));
  }

  async function openConversation(
    conversationId: string,
    orElse?: string,
    ask: Api<'readConversation'> = api,
  ): Promise<void> {
    const read = await ask('readConversation', { params: { id: conversationId } });
    if (!read.ok && read.code === 'not_found' && saved.remembered() === conversationId) leave();
    if (!read.ok) {
      return orRemembered(read, { type: 'failed', reason: orElse ?? read.text, again: mayAnswer(read) });
    }
    const named = !isUnnamed(read.answer.conversation.visitorName);
    if (named) saved.remember(conversationId);
    dispatch({ type: 'attached', conversationId, named, banner: null });
  }

  /**
   * Without a network, the remembered conversation is enough to read unsent messages and to write more. The socket
   * finds out later whether access still exists.
   */
  function orRemembered(answer: { ok: boolean; status?: number } | undefined, otherwise: PageEvent): void {
    const cutOff = !answer || (!answer.ok && answer.status === 0);
    const conversationId = cutOff ? saved.remembered() : null;
    dispatch(conversationId ? { type: 'attached', conversationId, named: true, banner: null } : otherwise);
  }

  function leave(): void {
    saved.leave();
    forgetLeft();
  }

  function erased(farewell: Farewell): void {
    dispatch({ type: 'failed', ...farewell });
    tab.write(farewell);
    leave();
  }

  async function load(): Promise<void> {
    // A remembered chat opens without an answer, so do not retry.
    const patient = saved.remembered() === null;
    const signIn = () => tokens.get().catch(() => undefined);
    const [check, user] = await Promise.all([
      (patient ? api : once)('checkInvite', { params: { token } }),
      patient ? retryUntilAnswered(signIn, Boolean) : signIn(),
    ]);
    const problem = navigator.cookieEnabled === false ? cookieProblem() : inviteProblem(check);
    if (problem) return withoutLink(check, problem);
    if (!user) return orRemembered(user, { type: 'failed', reason: texts.authFailed, again: true });
    const invite = check.answer?.state ?? 'NEW';
    if (invite !== 'BOUND') return dispatch({ type: 'invited', invite });
    // An empty code only checks whether this device has access. It does not count as an attempt.
    const back = await attach('');
    if (back.ok && back.answer.conversationId) {
      await refreshToken(back.answer);
      return openConversation(back.answer.conversationId);
    }
    if (back.answer?.needsCode) saved.forget();
    orRemembered(back, { type: 'invited', invite });
  }

  /** Links can be replaced. A device with access does not need one. */
  async function withoutLink(
    check: Result<'checkInvite'>,
    problem: string,
    ask?: Api<'readConversation'>,
  ): Promise<void> {
    const { exists, revoked } = check.answer ?? {};
    const farewell = revoked ? tab.read() : undefined;
    if (farewell) return dispatch({ type: 'failed', ...farewell });
    if (revoked) leave();
    // A replaced link does not tell whether the chat is over. The conversation does.
    const place = exists === false ? saved.remembered() : null;
    if (place) return openConversation(place, problem, ask);
    // The text asks the visitor to allow cookies and try again.
    const again = mayAnswer(check) || problem === texts.cookiesBlocked;
    orRemembered(check, { type: 'failed', reason: problem, again });
  }

  /** Asks until the server answers. */
  const insist: Api<'checkInvite' | 'readConversation'> = async (name, parts) => {
    const result = await once(name, parts);
    if (!mayAnswer(result)) return result;
    await new Promise((done) => setTimeout(done, retryPause()));
    return insist(name, parts);
  };

  async function onAccessLost(isErased: boolean): Promise<void> {
    if (isErased) {
      leave();
      return load();
    }
    // The chat must not stay on the screen because one check failed.
    const check = await insist('checkInvite', { params: { token } });
    const problem = inviteProblem(check);
    if (problem && problem !== texts.inviteExpired) return withoutLink(check, problem, insist);
    // The link is good, but this device was removed.
    leave();
    dispatch({ type: 'failed', reason: texts.signedOutHere });
  }

  async function start(): Promise<void> {
    dispatch({ type: 'starting' });
    // Do not wait for the answer, only for the form.
    seen = api('seeInvite', { body: { token } }).then(({ answer }) => {
      cookieStored = answer?.cookie !== false;
    });
    const came = await loadForms().catch(() => undefined);
    dispatch(came ? { type: 'started' } : { type: 'failed', reason: texts.networkError, again: true });
  }

  function codeChanged(code: string | null): void {
    if (code) saved.storeCode(code);
    dispatch({ type: 'codeChanged', code, error: texts.codeLocked });
  }

  return {
    // The later answer of a second load would close the form that the visitor has opened since.
    load: oneAtATime(load),
    onAccessLost,
    start,
    // The last digit submits the code, and people press Enter too.
    enterCode: oneAtATime(async (code: string) => (await claim()).enterCode(code)),
    async giveName(page, name) {
      typedName = name;
      await (await claim()).giveName(page, name);
    },
    showCode: (code) => dispatch({ type: 'codeShown', code }),
    renewCode: async (conversationId) => (await claim()).renewCode(conversationId),
    codeChanged,
    erased,
  };
}

/** A call while another one runs does nothing, and ends with it. */
function oneAtATime<Args extends unknown[]>(run: (...args: Args) => Promise<void>) {
  let running: Promise<void> | undefined;
  return (...args: Args): Promise<void> => {
    running ??= run(...args).finally(() => {
      running = undefined;
    });
    return running;
  };
}

function inviteProblem(check: Result<'checkInvite'>): string | undefined {
  const { answer } = check;
  // No answer, or one from a proxy on the way.
  if (!answer) return check.ok || check.status < 400 ? texts.inviteLoadFailed : check.text;
  if (answer.revoked) return texts.inviteRevoked;
  if (answer.expired) return texts.inviteExpired;
  if (!answer.exists || !answer.success) return answer.error ?? texts.inviteNotFound;
  return undefined;
}

/** The failure may be temporary. */
function mayAnswer(result: { ok: boolean; status?: number; answer?: unknown }): boolean {
  const { ok, status = 0, answer } = result;
  return !ok && !answer && (status < 400 || status === 429 || status >= 500);
}
