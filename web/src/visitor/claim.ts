import { texts } from '@settee/protocol/texts/texts';
import type { Failure, Result } from '../net/api.ts';
import type { VisitorApi } from './connection.ts';
import { cookieProblem } from './cookieProblem.ts';
import type { Page, PageEvent } from './page.ts';
import type { SavedChat } from './savedChat.ts';

type Parts = {
  api: VisitorApi;
  saved: SavedChat;
  dispatch: (event: PageEvent) => void;
  claimBody: () => { token: string; csrf: string };
  attach: (code: string) => Promise<Result<'attachInvite'>>;
  openConversation: (conversationId: string) => Promise<void>;
  /** Takes the answer that attached the device. */
  refreshToken: (answer: object) => Promise<void>;
  /** Whether the browser stores our cookie. Without it, a claim would be lost. */
  hasCookie: () => Promise<boolean>;
  /** The name entered before the code was requested. */
  typedName: () => string;
};

export type Claim = {
  enterCode(code: string): Promise<void>;
  giveName(page: Extract<Page, { view: 'active' }>, name: string): Promise<void>;
  /** Requests a code for another device. The old code stops working. */
  renewCode(conversationId: string): Promise<string | undefined>;
};

/** The server calls of the forms: attach this device by code or claim, save a name, and request another code. */
export function claim(parts: Parts): Claim {
  const { api, saved, dispatch, attach, openConversation, refreshToken } = parts;

  async function enterCode(code: string): Promise<void> {
    dispatch({ type: 'attaching' });
    const attached = await attach(code);
    const conversationId = attached.ok ? attached.answer.conversationId : null;
    if (!attached.ok || !conversationId) {
      const error = attached.ok ? texts.codeFailed : codeProblem(attached);
      return dispatch({ type: 'codeFailed', error });
    }
    await refreshToken(attached.answer);
    if (!(await saveName(conversationId, parts.typedName()))) return openConversation(conversationId);
    dispatch({ type: 'attached', conversationId, named: true, banner: null });
  }

  /** Attaches this device: by the stored code if the invite is taken, otherwise by claiming it. */
  async function claimOrAttach(taken: boolean): Promise<string | undefined> {
    if (!(await parts.hasCookie())) {
      dispatch({ type: 'failed', reason: cookieProblem(), again: true });
      return undefined;
    }
    const answer = taken
      ? await attach(saved.storedCode())
      : await api('claimInvite', { body: parts.claimBody() });
    const conversationId = answer.ok ? answer.answer.conversationId : null;
    if (conversationId) {
      const code = answer.answer && 'continueCode' in answer.answer ? answer.answer.continueCode : null;
      if (code) saved.storeCode(code);
      if (!taken) saved.markFirstSession();
      // Refresh first, because the page opens its socket once it is attached.
      if (answer.answer) await refreshToken(answer.answer);
      dispatch({ type: 'attached', conversationId, named: false, banner: code });
      return conversationId;
    }
    const refused = answer.ok ? undefined : answer;
    // The visitor just signed in, so a 401 means that the cookie was not stored.
    if (refused?.status === 401) {
      dispatch({ type: 'failed', reason: cookieProblem(), again: true });
      return undefined;
    }
    const needsCode = refused?.answer && 'needsCode' in refused.answer && refused.answer.needsCode;
    if (needsCode || refused?.text === texts.codeRequired) {
      dispatch({ type: 'codeNeeded', note: texts.codeRequired });
    } else {
      dispatch({
        type: 'nameFailed',
        error: refused?.text || (taken ? texts.attachFailed : texts.claimFailed),
      });
    }
    return undefined;
  }

  async function giveName(page: Extract<Page, { view: 'active' }>, name: string): Promise<void> {
    dispatch({ type: 'saving' });
    const conversationId = page.conversationId ?? (await claimOrAttach(page.invite === 'BOUND'));
    if (!conversationId) return;
    const saved = await saveName(conversationId, name);
    dispatch(saved ? { type: 'named' } : { type: 'nameFailed', error: texts.nameFailed });
  }

  async function saveName(conversationId: string, name: string): Promise<boolean> {
    if (name === '') return false;
    const named = await api('nameVisitor', { params: { id: conversationId }, body: { visitorName: name } });
    if (!named.ok) return false;
    // The conversation has the name. Do not wait for the profile.
    void api('saveProfile', { body: { displayName: name } }).then(
      (profile) => profile.ok || console.error('saveProfile:', profile.text),
    );
    saved.remember(conversationId);
    return true;
  }

  async function renewCode(conversationId: string): Promise<string | undefined> {
    const made = await api('renewCode', { params: { id: conversationId } });
    const code = made.answer?.continueCode;
    if (code) saved.storeCode(code);
    dispatch(code ? { type: 'codeShown', code } : { type: 'codeRenewFailed', error: texts.codeRenewFailed });
    return code;
  }

  return { enterCode, giveName, renewCode };
}

function codeProblem(failure: Failure<'attachInvite'>): string {
  if (failure.status === 0) return texts.networkError;
  if (failure.text === texts.codeInvalid) return texts.codeWrong;
  return failure.text || texts.codeFailed;
}
