import { texts } from '@settee/protocol/texts';
import type { Failure, Result } from '../net/api.ts';
import type { VisitorApi } from './connection.ts';
import type { Page, PageEvent } from './page.ts';
import type { Seat } from './seat.ts';

type Parts = {
  api: VisitorApi;
  seat: Seat;
  dispatch: (event: PageEvent) => void;
  /** What a claim of this invite says. */
  asking: () => { token: string; csrf: string };
  attach: (code: string) => Promise<Result<'attachInvite'>>;
  takeSeat: (conversationId: string) => Promise<void>;
  freshToken: () => Promise<void>;
};

export type Claim = {
  enterCode(code: string): Promise<void>;
  giveName(page: Extract<Page, { view: 'active' }>, name: string): Promise<void>;
};

/** What the forms ask of the server: a place in the chat, by code or by claim, and a name there. It comes with them. */
export function claim({ api, seat, dispatch, asking, attach, takeSeat, freshToken }: Parts): Claim {
  async function enterCode(code: string): Promise<void> {
    dispatch({ type: 'attaching' });
    const attached = await attach(code);
    if (attached.ok && attached.answer.conversationId) return takeSeat(attached.answer.conversationId);
    dispatch({ type: 'codeFailed', error: attached.ok ? texts.codeFailed : codeProblem(attached) });
  }

  /** A place for somebody who has none: by the stored code where the invite is taken, else by claiming it. */
  async function findSeat(taken: boolean): Promise<string | undefined> {
    const answer = taken ? await attach(seat.storedCode()) : await api('claimInvite', { body: asking() });
    const conversationId = answer.ok ? answer.answer.conversationId : null;
    if (conversationId) {
      const code = answer.answer && 'continueCode' in answer.answer ? answer.answer.continueCode : null;
      if (code) seat.storeCode(code);
      if (!taken) seat.markFirstSession();
      dispatch({ type: 'seated', conversationId, named: false, banner: code });
      await freshToken();
      return conversationId;
    }
    const refused = answer.ok ? undefined : answer;
    const needsCode = refused?.answer && 'needsCode' in refused.answer && refused.answer.needsCode;
    if (needsCode || refused?.text === texts.codeRequired) {
      dispatch({ type: 'codeNeeded', error: texts.codeRequired });
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
    const conversationId = page.conversationId ?? (await findSeat(page.invite === 'BOUND'));
    if (!conversationId) return;
    const saved = await api('nameVisitor', { params: { id: conversationId }, body: { visitorName: name } });
    if (!saved.ok) return dispatch({ type: 'nameFailed', error: texts.nameFailed });
    // The conversation has the name; a profile that could not be saved is no reason to keep the chat shut.
    const profile = await api('saveProfile', { body: { displayName: name } });
    if (!profile.ok) console.error('saveProfile:', profile.text);
    seat.remember(conversationId);
    dispatch({ type: 'named' });
  }

  return { enterCode, giveName };
}

function codeProblem(failure: Failure<'attachInvite'>): string {
  if (failure.status === 0) return texts.networkError;
  if (failure.text === texts.codeInvalid) return texts.codeWrong;
  return failure.text || texts.codeFailed;
}
