import { texts } from '@settee/protocol/texts';
import { isUnnamed } from '@settee/protocol/visitor';
import type { Result } from '../net/api.ts';
import type { TokenHolder } from '../net/tokens.ts';
import type { Claim } from './claim.ts';
import type { VisitorApi } from './connection.ts';
import { loadForms } from './loadForms.ts';
import type { PageEvent } from './page.ts';
import type { Seat } from './seat.ts';

type Parts = {
  token: string;
  api: VisitorApi;
  tokens: TokenHolder;
  seat: Seat;
  now: () => number;
  dispatch: (event: PageEvent) => void;
  /** The chat is over for good: this device forgets it. */
  forget: (conversationId: string | null) => void;
};

export type InviteFlow = Claim & {
  load(): Promise<void>;
  /** The server lets this device see the chat no more. Where it is over for everybody, the page says so. */
  losePlace(erased: boolean): Promise<void>;
  start(): Promise<void>;
  /** A code for one more device; the one before it stops working. Answers it, if there is one. */
  makeCode(conversationId: string): Promise<string | undefined>;
  /** It was erased from here. */
  erased(words: { title: string; reason: string }): void;
};

/** From an opened link to a place in the chat: what each press asks of the server, and what its answer does. */
export function inviteFlow({ token, api, tokens, seat, now, dispatch, forget }: Parts): InviteFlow {
  const asking = () => ({ token, csrf: String(now()) });
  const attach = (code: string) => api('attachInvite', { body: { ...asking(), code } });
  // Asked for by the forms themselves: their script is there.
  const claim = async () =>
    (await loadForms()).claim({ api, seat, dispatch, asking, attach, takeSeat, freshToken });

  /**
   * A seat changes the visitor's credential, so the token from before it is no longer the right one. Where no new
   * one can be had now, the next call asks again.
   */
  async function freshToken(): Promise<void> {
    await tokens.renew().catch((error: unknown) => console.error('signInAnonymously:', error));
  }

  async function takeSeat(conversationId: string, orElse?: string): Promise<void> {
    await freshToken();
    const read = await api('readConversation', { params: { id: conversationId } });
    if (!read.ok && read.code === 'not_found' && seat.remembered() === conversationId) leave();
    if (!read.ok) return orRemembered(read, { type: 'failed', reason: orElse ?? read.text });
    const named = !isUnnamed(read.answer.conversation.visitorName);
    if (named) seat.remember(conversationId);
    dispatch({ type: 'seated', conversationId, named, banner: null });
  }

  /**
   * Without a network the place that this device remembers is good enough to read its own unsent words and to write
   * more: the live line finds out, once it is up, whether the place is still there.
   */
  function orRemembered(answer: { ok: boolean; status?: number } | undefined, otherwise: PageEvent): void {
    const cutOff = !answer || (!answer.ok && answer.status === 0);
    const conversationId = cutOff ? seat.remembered() : null;
    dispatch(conversationId ? { type: 'seated', conversationId, named: true, banner: null } : otherwise);
  }

  function leave(): void {
    forget(seat.remembered());
    seat.forget();
  }

  function erased(words: { title: string; reason: string }): void {
    dispatch({ type: 'failed', ...words });
    leave();
  }

  async function load(lost = false, erased = false): Promise<void> {
    const [check, user] = await Promise.all([
      api('checkInvite', { params: { token } }),
      tokens.get().catch(() => undefined),
    ]);
    const problem = inviteProblem(check);
    if (erased || check.answer?.revoked) leave();
    // A link that was replaced does not tell whether the chat is over: the conversation does.
    else if (lost && check.answer?.exists !== false) return;
    if (lost && !problem) return;
    // A link can be replaced: whoever has a place does not need it any more.
    const place = check.answer?.exists === false ? seat.remembered() : null;
    if (place) return takeSeat(place, problem);
    if (problem) return orRemembered(check, { type: 'failed', reason: problem });
    if (!user) return orRemembered(user, { type: 'failed', reason: texts.authFailed });
    const invite = check.answer?.state ?? 'NEW';
    if (invite !== 'BOUND') return dispatch({ type: 'invited', invite });
    // An empty code asks only whether this device already has its place; it counts as no attempt.
    const back = await attach('');
    if (back.ok && back.answer.conversationId) return takeSeat(back.answer.conversationId);
    if (back.answer?.needsCode) seat.forget();
    orRemembered(back, { type: 'invited', invite });
  }

  async function start(): Promise<void> {
    dispatch({ type: 'starting' });
    await api('seeInvite', { body: { token } });
    dispatch({ type: 'started' });
  }

  async function makeCode(conversationId: string): Promise<string | undefined> {
    const made = await api('renewCode', { params: { id: conversationId } });
    const code = made.answer?.continueCode;
    if (code) seat.storeCode(code);
    dispatch(code ? { type: 'codeMade', code } : { type: 'codeNotMade' });
    return code;
  }

  return {
    load,
    losePlace: (erased) => load(true, erased),
    start,
    enterCode: async (code) => (await claim()).enterCode(code),
    giveName: async (page, name) => (await claim()).giveName(page, name),
    makeCode,
    erased,
  };
}

function inviteProblem(check: Result<'checkInvite'>): string | undefined {
  const { answer } = check;
  if (!answer) return check.ok || check.status === 0 ? texts.inviteLoadFailed : check.text;
  if (answer.revoked) return texts.inviteRevoked;
  if (answer.expired) return texts.inviteExpired;
  if (!answer.exists || !answer.success) return answer.error ?? texts.inviteNotFound;
  return undefined;
}
