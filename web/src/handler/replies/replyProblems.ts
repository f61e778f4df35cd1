import { MESSAGE_TEXT_MAX } from '@settee/protocol/model/message';
import { SavedReplyText, Shortcut } from '@settee/protocol/model/savedReply';
import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import * as v from 'valibot';
import type { Failure } from '../../net/api.ts';

export type ReplyWords = { shortcut: string; text: string };

/** What is wrong, by the field that it stands under; `form` for what no field can mend. */
export type ReplyProblems = { shortcut?: string; text?: string; form?: string };

/** Some type the slash along, as they will use it. */
export function shortcutOf(typed: string): string {
  return typed.trim().replace(/^\//, '');
}

export function replyProblems({ shortcut, text }: ReplyWords): ReplyProblems {
  const wrong = v.safeParse(Shortcut, shortcutOf(shortcut)).issues?.[0].message;
  return {
    ...(wrong !== undefined && { shortcut: wrong }),
    ...(!v.is(SavedReplyText, text) && {
      text: fillText(consoleTexts.replyTextWrong, { max: MESSAGE_TEXT_MAX.toLocaleString('en') }),
    }),
  };
}

export function refusedReply({ code, text }: Pick<Failure, 'code' | 'text'>): ReplyProblems {
  return code === 'shortcut_taken' ? { shortcut: text } : { form: text || consoleTexts.replySaveFailed };
}
