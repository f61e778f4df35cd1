import { MESSAGE_TEXT_MAX } from '@settee/protocol/model/message';
import { SHORTCUT_MAX } from '@settee/protocol/model/savedReply';
import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { expect, test } from 'vitest';
import { replyErrorsOf, replyProblems, shortcutOf } from './ReplyForm.tsx';

test('each field of a saved reply shows its error', () => {
  expect(replyProblems({ shortcut: '/Thanks', text: 'Thank you' })).toEqual({});
  expect(replyProblems({ shortcut: 'so long', text: 'x' }).shortcut).toMatch(/letters, digits and dashes/);
  expect(replyProblems({ shortcut: '', text: 'x' }).shortcut).toBeDefined();
  expect(replyProblems({ shortcut: 'a'.repeat(SHORTCUT_MAX + 1), text: 'x' }).shortcut).toMatch(/at most/);
  expect(replyProblems({ shortcut: 'a', text: ' \n' })).toEqual({
    text: 'A saved reply has 1 to 4,000 characters',
  });
  expect(replyProblems({ shortcut: 'a', text: 'x'.repeat(MESSAGE_TEXT_MAX + 1) }).text).toBeDefined();
});

test('a used shortcut shows below the shortcut, other errors below the form', () => {
  expect(replyErrorsOf({ code: 'shortcut_taken', text: 'taken' })).toEqual({ shortcut: 'taken' });
  expect(replyErrorsOf({ code: 'bad_request', text: 'full' })).toEqual({ form: 'full' });
  expect(replyErrorsOf({ code: undefined, text: '' })).toEqual({ form: consoleTexts.replySaveFailed });
});

test('a shortcut can be typed with its slash', () => {
  expect(shortcutOf(' /tour ')).toBe('tour');
});
