import { pushTexts } from '@settee/protocol/texts/pushTexts';
import { texts } from '@settee/protocol/texts/texts';

const { testTitle, testBody, reply, replyPlaceholder, replyFailed, replyRefused } = pushTexts;

/**
 * The texts of notifications. A page has them in its language and stores them for the service worker, which contains
 * only the English ones (see workerStorage.ts).
 */
export const workerTexts = {
  noticeBody: texts.noticeBody as string,
  testTitle: testTitle as string,
  testBody: testBody as string,
  reply: reply as string,
  replyPlaceholder: replyPlaceholder as string,
  replyFailed: replyFailed as string,
  replyRefused: replyRefused as string,
};
export type WorkerTexts = typeof workerTexts;
