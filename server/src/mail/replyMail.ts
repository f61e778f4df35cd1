import { timingSafeEqual } from 'node:crypto';
import { MAIL_CODE_TRIES, maskAddress, type ReplyMail } from '@settee/protocol/model/mail';
import type { Language } from '@settee/protocol/texts/languages';
import { visitorMailTexts } from '@settee/protocol/texts/visitorMailTexts';
import { accessTo, conversationView } from '../access/access.ts';
import type { App } from '../platform/app.ts';
import { allow } from '../platform/auth/rateLimits.ts';
import { Refusal } from '../platform/auth/refusal.ts';
import type { Database, DbTransaction } from '../platform/db/database.ts';
import type { Visitor } from '../platform/ports/caller.ts';
import { dropMails, enqueueMail } from './mailJobs.store.ts';
import {
  addressLimitKey,
  decryptAddress,
  encryptAddress,
  hashMailCode,
  newMailCode,
  sealContent,
} from './mailSecrets.ts';
import {
  confirmPendingMail,
  countWrongMailCode,
  dropVisitorMail,
  findVisitorMail,
  lockPendingMail,
  putPendingMail,
} from './visitorMails.store.ts';

/** The visitor's address, as the visitor sees it. */
export async function readReplyMail(app: App, visitor: Visitor, conversationId: string): Promise<ReplyMail> {
  await accessTo(app, visitor, conversationId);
  return viewOf(app, app.db, conversationId);
}

/** Sends a code to the address. Nothing else is sent there until the code was entered. */
export async function saveReplyMail(
  app: App,
  visitor: Visitor,
  conversationId: string,
  { address, language }: { address: string; language: Language },
): Promise<ReplyMail> {
  const access = await accessTo(app, visitor, conversationId);
  if (!access.conversation.canMail) throw new Refusal('access_denied');
  if (!conversationView(access).canSend) throw new Refusal('conversation_closed');
  const addressKey = addressLimitKey(app, address);
  await allow(app, 'mailsPerDevice', visitor.visitorId);
  await allow(app, 'mailsPerChat', conversationId);
  await allow(app, 'mailsPerChatDay', conversationId);
  await allow(app, 'mailsPerAddress', addressKey);
  await allow(app, 'mailsPerAddressDay', addressKey);
  await allow(app, 'mailsPerDay', 'all');
  const code = newMailCode(app);
  const pending = encryptAddress(app, conversationId, address);
  const codeHash = hashMailCode(app, conversationId, code);
  return app.db.transaction(async (db) => {
    await putPendingMail(db, { conversationId, visitorId: visitor.visitorId, pending, codeHash, language });
    await enqueueMail(db, { kind: 'code', conversationId, sealed: sealContent(app, conversationId, code) });
    return viewOf(app, db, conversationId);
  });
}

/** With the right code, mails go to the address. After some wrong ones, a new code is needed. */
export async function confirmReplyMail(
  app: App,
  visitor: Visitor,
  conversationId: string,
  code: string,
): Promise<ReplyMail> {
  await accessTo(app, visitor, conversationId);
  await allow(app, 'mailCodes', conversationId);
  const confirmed = await app.db.transaction(async (db) => {
    const pending = await lockPendingMail(db, conversationId);
    if (pending === undefined || pending.failures >= MAIL_CODE_TRIES) return 'expired';
    if (timingSafeEqual(pending.codeHash, hashMailCode(app, conversationId, code))) {
      await confirmPendingMail(db, conversationId, visitor.visitorId);
      return viewOf(app, db, conversationId);
    }
    await countWrongMailCode(db, conversationId);
    return 'wrong';
  });
  if (confirmed === 'expired') throw new Refusal('code_void', visitorMailTexts.codeExpired);
  if (confirmed === 'wrong') throw new Refusal('code_invalid', visitorMailTexts.codeWrong);
  return confirmed;
}

/** Deletes the address. */
export async function dropReplyMail(app: App, visitor: Visitor, conversationId: string): Promise<void> {
  await accessTo(app, visitor, conversationId);
  await endReplyMail(app, conversationId);
}

/** For the link in a mail: safe to repeat, and the answer tells nothing. */
export async function endReplyMail(app: Pick<App, 'db'>, conversationId: string): Promise<void> {
  await app.db.transaction(async (db) => {
    await dropVisitorMail(db, conversationId);
    await dropMails(db, conversationId);
  });
}

async function viewOf(app: App, db: Database | DbTransaction, conversationId: string): Promise<ReplyMail> {
  const row = await findVisitorMail(db, conversationId);
  const masked = (stored: Buffer | null | undefined): string | null => {
    const address = stored && decryptAddress(app, conversationId, stored);
    return address ? maskAddress(address) : null;
  };
  return { address: masked(row?.address), pending: masked(row?.pending), refused: row?.refused ?? false };
}
